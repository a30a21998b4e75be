# Runs a class with more options of Java. The class path has several HTTP clients: this names one.
exec java -XX:TieredStopAtLevel=1 "${@:2}" \
    -Dsoftware.amazon.awssdk.http.service.impl=software.amazon.awssdk.http.urlconnection.UrlConnectionSdkHttpService \
    -cp "classes:$(cat classpath)" "tools.$1"
