# What a session begins with. Each server runs in a process group of its own.
set -euo pipefail

started= # the server
others=() # those beside it
quit() {
    kill -- "-$1" 2>/dev/null || true
    while kill -0 -- "-$1" 2>/dev/null; do sleep 0.05; done
}
stop() {
    [ -z "$started" ] || quit "$started"
    started=
}
end() {
    stop
    for other in "${others[@]}"; do quit "$other"; done
}
trap end EXIT

# serve COMMAND... starts a server in place of the one before.
serve() {
    stop
    served=("$@")
    ! healthy || { echo "another server is on port 8000"; return 1; }
    setsid bash -c 'if [ "$1" = go ]; then cd "$repository"; fi; exec "$@"' serve "$@" >>"$HOME/.log" 2>&1 &
    started=$!
    for _ in $(seq 600); do
        if healthy; then return; fi
        kill -0 "$started" 2>/dev/null || break
        sleep 0.05
    done
    cat "$HOME/.log"
    return 1
}

# beside COMMAND... -port PORT starts a server that the others do not replace.
beside() {
    setsid "$@" >>"$HOME/.log" 2>&1 &
    others+=($!)
    for _ in $(seq 1200); do
        if (: <"/dev/tcp/127.0.0.1/${!#}") 2>/dev/null; then return; fi
        kill -0 "${others[-1]}" 2>/dev/null || break
        sleep 0.05
    done
    cat "$HOME/.log"
    return 1
}
healthy() { command kugiri healthcheck >/dev/null 2>&1; }

go() (cd "$repository" && command go "$@")

# Commands on a directory need one that no server uses.
kugiri() {
    case " $* " in
    *' --data-dir '*)
        stop
        command kugiri "$@"
        [ -z "${served:-}" ] || serve "${served[@]}"
        ;;
    *) command kugiri "$@" ;;
    esac
}

# curl fails if the server answers with an error.
curl() { command curl --silent --show-error --fail-with-body "$@"; }

# shown FILE keeps what the commands up to "hidden" print, and lets them fail.
shown() { set +ev; exec 3>&1 4>&2 >"$1" 2>&1; }
hidden() { exec >&3 2>&4 3>&- 4>&-; set -ev; }

left_out() { echo "LEFT OUT: $1 ($2)" | tee -a "$HOME/.left-out"; }
command -v aws >/dev/null || aws() { left_out "aws $*" "there is no AWS CLI"; }

# client LANGUAGE FILE runs a test, or a script, with the packages that "prepare" installed.
client() {
    case $1 in
    python)
        [ -n "${PYTHON_CLIENT:-}" ] || { left_out "$2" "there is no python3"; return; }
        case $2 in
        test_*) "$PYTHON_CLIENT/bin/python" -m pytest -q "$2" ;;
        *) "$PYTHON_CLIENT/bin/python" "$2" ;;
        esac
        ;;
    js)
        [ -n "${NODE_CLIENT:-}" ] || { left_out "$2" "there is no npm"; return; }
        ln -sfn "$NODE_CLIENT/node_modules" node_modules
        case $2 in
        *.test.*) node --test "$2" ;;
        *) node "$2" ;;
        esac
        ;;
    java)
        [ -n "${JAVA_CLIENT:-}" ] || { left_out "$2" "there is no mvn"; return; }
        cp "$JAVA_CLIENT/pom.xml" .
        mvn --batch-mode --offline --quiet test
        ;;
    esac
}
set -v
