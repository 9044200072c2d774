# SPDX-License-Identifier: MIT
# evntprov: see "make help"
O ?= $(CURDIR)/build
prefix ?= /usr/local
DESTDIR ?=
KERNELS ?= 6.1
NATIVE ?=
V ?=
Q := $(if $(V),,@)
KDIR ?= /lib/modules/$(shell uname -r)/build

export EVNT_BUILD := $(O)

SUB = $(MAKE) --no-print-directory O=$(O) prefix=$(prefix) DESTDIR=$(DESTDIR) V=$(V)

all: lib tools

help:
	@echo 'make                 build the library and the tools'
	@echo 'make demo            record and show the sample provider in a test machine;'
	@echo '                     NATIVE=1: on this kernel'
	@echo 'make check           run every test; KERNELS="6.1 6.12 newest", or all'
	@echo 'make modules         build the module for this kernel, or for KDIR=DIR'
	@echo 'make install         install library and tools; DESTDIR=, prefix='
	@echo 'make clean           remove what was built; downloads stay in the cache'
	@echo
	@echo 'V=1 shows commands.  demo and check install the Debian packages that they'
	@echo 'need, and say which.  Kernels are kept in $${EVNT_CACHE:-~/.cache/evntprov}.'

deps:
	@scripts/deps build $(if $(NATIVE),,machine)

deps-build:
	@scripts/deps build

lib: deps-build
	$(Q)$(SUB) -C lib all

tools: lib
	$(Q)$(SUB) -C tools all

modules:
	$(Q)$(MAKE) -C $(KDIR) M=$(CURDIR) modules

demo: deps all
	$(Q)NATIVE=$(NATIVE) scripts/demo

check: deps all
	$(Q)scripts/check $(KERNELS)

install: all
	$(Q)$(SUB) -C lib install
	$(Q)$(SUB) -C tools install

clean:
	$(Q)rm -rf $(O)

.PHONY: all help deps deps-build lib tools modules demo check install clean
