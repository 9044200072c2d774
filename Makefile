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
SAMPLE ?=
AREA ?=
V ?=
Q := $(if $(V),,@)
KDIR ?= /lib/modules/$(shell uname -r)/build
PKG_CONFIG ?= pkg-config
PARTS ?=

export EVNT_BUILD := $(O)

# The scripts start jobs themselves
RUN = $(Q)MAKEFLAGS='$(filter-out -j% --jobserver-%,$(MAKEFLAGS))'
# make passes the job server on by "+", as the recipes have no $(MAKE) of their
# own
SUB = $(MAKE) --no-print-directory O=$(O) prefix=$(prefix) libdir=$(libdir) DESTDIR=$(DESTDIR) V=$(V)

all: lib tdh tools babeltrace

help:
	@echo 'make                 build the libraries, the tools, the plugin for babeltrace2'
	@echo 'make deps            install, on Debian, what "make" needs; PARTS="unit machine lint"'
	@echo '                     also what these need: see scripts/deps'
	@echo 'make demo            record a small server in a test machine, and show its log;'
	@echo '                     NATIVE=1: on this kernel'
	@echo 'make check           run every test; KERNELS="6.1 6.12 newest kasan kcsan'
	@echo '                     6.1-rt", or all; FULL=1: every test on every kernel;'
	@echo '                     PARTS="unit lint kernel" runs these parts alone'
	@echo 'make lint            static analysis'
	@echo 'make fuzz            fuzz the interface; SECONDS=60 SEED= KERNELS=kasan'
	@echo 'make torture         everything at once; MINUTES=1 SEED= KERNELS=kasan'
	@echo 'make bench           what an event costs, here and elsewhere; KERNELS="6.1 6.12";'
	@echo '                     NATIVE=1: the core alone, on this machine'
	@echo 'make mutants         plant bugs, and see that tests notice: SAMPLE=50, AREA=core'
	@echo 'make coverage        lines that the tests reach; PARTS=user: without the module'
	@echo 'make modules         build the module for this kernel, or for KDIR=DIR'
	@echo 'make install         install what was built; DESTDIR=, prefix='
	@echo 'make install-dkms    copy the source of the module to /usr/src, for dkms'
	@echo 'make deb             Debian packages, in build/deb'
	@echo 'make patches         the module as a patch series for a kernel tree; TREE='
	@echo 'make clean           remove what was built; downloads stay in the cache'
	@echo
	@echo 'V=1 shows commands.  "make", "make install" and "make modules" need no package'
	@echo 'manager: they name missing programs and libraries.  Targets that use a test machine'
	@echo 'install the Debian packages that they need, and name them.  Kernels are kept, and'
	@echo 'the debug kernels kasan and kcsan built once, in'
	@echo '$${EVNT_CACHE:-~/.cache/evntprov}.'

# Nothing is installed unless "deps" is requested, or a target that runs tests
CHECK_DEPS = CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' KDIR='$(KDIR)' scripts/deps
GOALS := $(or $(MAKECMDGOALS),all)

deps:
	@$(CHECK_DEPS) build $(PARTS)

# The libraries need less than all
needs:
	@$(CHECK_DEPS) --check $(if $(filter-out lib tdh,$(GOALS)),build,$(GOALS))

machine-deps:
	@scripts/deps build $(if $(NATIVE),,machine)

# Must precede everything that is built only if its dependencies exist
check-deps:
	@scripts/deps build machine unit

lib: needs
	+$(Q)$(SUB) -C lib all

tdh: needs
	+$(Q)$(SUB) -C tdh all

tools: lib tdh
	+$(Q)$(SUB) -C tools all

babeltrace: lib tdh
	+$(Q)$(SUB) -C babeltrace all

modules:
	@$(CHECK_DEPS) --check modules
	$(Q)$(MAKE) -C $(KDIR) M=$(CURDIR) modules

# Build after installing, also with -j
demo: machine-deps
	+$(Q)$(SUB) all
	$(RUN) NATIVE=$(NATIVE) scripts/demo

check: check-deps
	$(RUN) scripts/check $(KERNELS)

lint: machine-deps
	$(RUN) scripts/lint

# Kernels that detect faults, unless KERNELS selects others
DEBUG_KERNELS = $(if $(filter command line environment,$(origin KERNELS)),$(KERNELS),kasan)

fuzz: machine-deps
	$(RUN) scripts/fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(DEBUG_KERNELS)

torture: machine-deps
	$(RUN) scripts/torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(DEBUG_KERNELS)

bench: machine-deps
	+$(Q)$(SUB) all
	$(RUN) scripts/bench $(if $(NATIVE),--native,$(KERNELS))

# SAMPLE: number of mutants; always the same ones, unless SEED selects others
mutants: check-deps
	$(RUN) scripts/mutate $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) \
		$(if $(AREA),--area $(AREA))

coverage: machine-deps
	$(RUN) scripts/coverage $(PARTS)

install: all
	+$(Q)$(SUB) -C lib install
	+$(Q)$(SUB) -C tdh install
	+$(Q)$(SUB) -C tools install
	+$(Q)$(SUB) -C babeltrace install
	+$(Q)$(SUB) -C system install

# Source of the module, for DKMS
VERSION = $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
source = $(DESTDIR)/usr/src/evntprov-$(VERSION)

install-dkms:
	$(Q)install -d $(source)
	$(Q)cp -r --parents Kbuild dkms.conf core module include uapi lib/include $(source)/
	$(Q)find $(source) -type f -exec chmod 644 {} +

deb:
	$(RUN) scripts/deb

patches:
	$(RUN) scripts/patches $(TREE)

clean:
	$(Q)rm -rf $(O)

.PHONY: all help deps needs machine-deps check-deps lib tdh tools babeltrace modules demo check lint fuzz torture \
	bench mutants coverage install install-dkms deb patches clean
