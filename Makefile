# 'make' alone lists what there is to make. Everything that is built goes to target/.

VERSION := $(shell sed -n 's|^  <version>\(.*\)</version>|\1|p' pom.xml)
# A name of your own makes an image that a cluster can pull; 'file' says that it is the default.
OPERATOR_IMAGE ?= localhost/etcd-operator:$(VERSION)
OPERATOR_IMAGE_ORIGIN := $(origin OPERATOR_IMAGE)
CACHE := $(or $(ETCD_OPERATOR_CACHE),$(HOME)/.cache/etcd-operator)
# Where there is none yet, the one that 'tools' leaves.
JAVA_HOME := $(or $(shell packaging/find-jdk 2>/dev/null),$(CACHE)/jdk-25)
CLUSTER ?= testbed
MVN := mvn --batch-mode --no-transfer-progress

export JAVA_HOME VERSION OPERATOR_IMAGE OPERATOR_IMAGE_ORIGIN CLUSTER
export PATH := $(CACHE)/bin:$(JAVA_HOME)/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help check test e2e demo demo-down image manifests testbed testbed-down bench format reference clean tools faults mutation contracts acceptance soak

help: ## List the targets
	@echo 'Usage: make TARGET'
	@echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

check: tools ## Compile, lint and test all that needs no cluster (HISTORIES=N simulates more)
	$(MVN) verify $(if $(HISTORIES),-Dsimulation.histories=$(HISTORIES))
	@touch target/.built

test: ## All tests that fit into 25 minutes, the end-to-end ones on the test bed too; what CI runs
	packaging/test-all

contracts: ## The contracts with real etcd and object stores alone; no Kubernetes (E2E=NameIT picks one class)
	packaging/test-all contracts

e2e: ## Contracts and end-to-end tests, on a test bed that stays up (E2E=NameIT picks one class)
	packaging/test-all e2e

acceptance: ## What is too long for 'make test' (PART=histories, nodes or operator; an hour each at most)
	packaging/test-all acceptance $(PART)

soak: ## Random faults under load for as long as you like (SOAK=minutes, CLUSTERS=2, SEED=n)
	packaging/test-all soak

demo: ## A three-member etcd cluster, from nothing (CLUSTER=testbed, kind or current)
	@demo/demo up

demo-down: ## Remove all that 'make demo' made (same CLUSTER)
	@demo/demo down

image: target/.built ## The operator's image, target/operator-image.tar (AOT=off: quicker to build, slower to start)
	@command -v objcopy >/dev/null || packaging/install-package binutils
	@packaging/build-image $(OPERATOR_IMAGE) target/operator-image.tar

manifests: target/.built ## target/install.yaml for kubectl, and the packaged Helm chart
	@packaging/build-manifests $(VERSION) $(OPERATOR_IMAGE)

testbed: ## Start the test bed, a three-node Kubernetes on this machine
	@testbed/testbed up
	@echo "export KUBECONFIG=$$(testbed/testbed kubeconfig)"

testbed-down: ## Stop the test bed and remove all of it but the cached builds
	@testbed/testbed down

bench: image manifests ## Measure the operator on the test bed, against a plain StatefulSet
	bench/bench

faults: tools ## Plant known faults one at a time: the test class that is named for each must find it (FAULT=name)
	@packaging/plant-faults $(FAULT)

mutation: tools ## Change every branch of the pure packages: which changes does no test notice? (PACKAGES=domain,schedule; SAMPLE=3 a class)
	@SAMPLE=$(SAMPLE) packaging/mutation-coverage "$(PACKAGES)" "$(CLASSES)"

format: tools ## Format the Java sources
	$(MVN) --quiet spotless:apply

reference: target/.built ## Write docs/reference.md anew from the Java types
	packaging/tool etcdoperator.crd.FieldReference

clean: ## Remove all that was built
	rm -rf target operator/target tools/target

# The jar, its libraries and the CRDs, without the tests.
target/.built: pom.xml operator/pom.xml tools/pom.xml $(shell find operator/src/main tools/src/main -type f) | tools
	@echo '    the jar, its libraries and the CRDs'
	$(MVN) --quiet package -DskipUnitTests
	@touch $@

tools:
	@packaging/find-jdk >/dev/null 2>&1 || packaging/install-jdk
	@command -v mvn >/dev/null || packaging/install-package maven
	@command -v openssl >/dev/null || packaging/install-package openssl
