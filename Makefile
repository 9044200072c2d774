# SPDX-License-Identifier: MIT
# evntprov: see "make help"
O ?= $(CURDIR)/build
prefix ?= /usr/local
libdir ?= $(prefix)/lib
DESTDIR ?=
KERNELS ?= 6.1
NATIVE ?=
SECONDS ?= 60
MINUTES ?= 1
SEED ?=
V ?=
Q := $(if $(V),,@)
KDIR ?= /lib/modules/$(shell uname -r)/build

export EVNT_BUILD := $(O)

SUB = $(MAKE) --no-print-directory O=$(O) prefix=$(prefix) libdir=$(libdir) DESTDIR=$(DESTDIR) V=$(V)

all: lib tdh tools babeltrace

help:
	@echo 'make                 build the libraries, the tools, the plugin for babeltrace2'
	@echo 'make demo            record and show the sample provider in a test machine;'
	@echo '                     NATIVE=1: on this kernel'
	@echo 'make check           run every test; KERNELS="6.1 6.12 newest kasan kcsan",'
	@echo '                     or all; PARTS="unit lint kernel" runs these alone'
	@echo 'make lint            static analysis'
	@echo 'make fuzz            fuzz the interface; SECONDS=60 SEED= KERNELS=kasan'
	@echo 'make torture         everything at once; MINUTES=1 SEED= KERNELS=kasan'
	@echo 'make bench           what an event costs, here and elsewhere; KERNELS="6.1 6.12";'
	@echo '                     NATIVE=1: the core alone, on this machine'
	@echo 'make coverage        lines and branches that the selftests reach'
	@echo 'make modules         build the module for this kernel, or for KDIR=DIR'
	@echo 'make install         install what was built; DESTDIR=, prefix='
	@echo 'make deb             Debian packages, in build/deb'
	@echo 'make patches         the module as a patch series for a kernel tree; TREE='
	@echo 'make clean           remove what was built; downloads stay in the cache'
	@echo
	@echo 'V=1 shows commands.  What is run in a test machine installs the Debian packages'
	@echo 'that it needs, and says which.  Kernels are kept, and the debug kernels kasan and'
	@echo 'kcsan built once, in $${EVNT_CACHE:-~/.cache/evntprov}.'

deps:
	@scripts/deps build $(if $(NATIVE),,machine)

deps-build:
	@scripts/deps build

# Before what is built where it is there
deps-unit:
	@scripts/deps unit

lib: deps-build
	$(Q)$(SUB) -C lib all

tdh: deps-build
	$(Q)$(SUB) -C tdh all

tools: lib tdh
	$(Q)$(SUB) -C tools all

babeltrace: lib tdh
	$(Q)$(SUB) -C babeltrace all

modules:
	$(Q)$(MAKE) -C $(KDIR) M=$(CURDIR) modules

demo: deps all
	$(Q)NATIVE=$(NATIVE) scripts/demo

check: deps deps-unit all
	$(Q)scripts/check $(KERNELS)

lint: deps
	$(Q)scripts/lint

# Where faults are found; KERNELS says others
DEBUG_KERNELS = $(if $(filter command line environment,$(origin KERNELS)),$(KERNELS),kasan)

fuzz: deps
	$(Q)scripts/fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(DEBUG_KERNELS)

torture: deps
	$(Q)scripts/torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(DEBUG_KERNELS)

bench: deps all
	$(Q)scripts/bench $(if $(NATIVE),--native,$(KERNELS))

coverage: deps
	$(Q)scripts/coverage

install: all
	$(Q)$(SUB) -C lib install
	$(Q)$(SUB) -C tdh install
	$(Q)$(SUB) -C tools install
	$(Q)$(SUB) -C babeltrace install
	$(Q)$(SUB) -C system install

deb:
	$(Q)scripts/deb

patches:
	$(Q)scripts/patches $(TREE)

clean:
	$(Q)rm -rf $(O)

.PHONY: all help deps deps-build deps-unit lib tdh tools babeltrace modules demo check lint fuzz torture \
	bench coverage install deb patches clean
