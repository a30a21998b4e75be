package main

import "github.com/kugiri-db/kugiri/conformance/clients"

// language is one whose tests run with the packages that a project pins.
type language struct {
	variable string // the variable of a session with the directory of the prepared project
	project  clients.Project
}

var languages = []language{
	{"PYTHON_CLIENT", clients.Project{
		Dir: "conformance/clients/python", Tools: []string{"python3"},
		Files:   []string{"requirements.txt"},
		Install: "python3 -m venv . && bin/pip install --quiet --require-virtualenv -r requirements.txt",
	}},
	{"NODE_CLIENT", clients.Project{
		Dir: "conformance/clients/node", Tools: []string{"npm"},
		Files:   []string{"package.json", "package-lock.json"},
		Install: "npm ci --ignore-scripts --no-audit --no-fund",
	}},
	// Maven fetches what it runs tests with when it runs one.
	{"JAVA_CLIENT", clients.Project{
		Dir: "conformance/clients/java", Tools: []string{"mvn"}, Files: []string{"pom.xml"},
		Install: "mkdir -p src/test/java && echo 'class FirstTest { @org.junit.jupiter.api.Test void first() {} }' >src/test/java/FirstTest.java" +
			" && mvn --batch-mode --quiet test",
	}},
}
