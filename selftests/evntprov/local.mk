# SPDX-License-Identifier: GPL-2.0
# Programs whose build differs from the rest.
TEST_GEN_PROGS := $(filter-out disabled,$(TEST_GEN_PROGS)) lib_attributes
TEST_GEN_FILES += disabled plugin_shared.so plugin_static.so stack_program classic_program \
	fields_program ring_program server \
	manifest_program manifest_static manifest_bare manifest_library.so guest_provider.so
TEST_FILES += cli/stack_program.c cli/manifest_program.man ../../system/evnt-core \
	../unit/common/tap.bash ../unit/common/guests.bash ../../doc/man/libevntprov.3

EVNT_LIB := $(EVNT_BUILD)/lib

# Compile a program, then link it: a cache of compilers keeps the result of a
# command that does only the first
ALONE := lib_attributes lib_payload static
$(patsubst %,$(OUTPUT)/%,$(filter-out $(ALONE),$(TEST_GEN_PROGS))): \
$(OUTPUT)/%: %.c $(LOCAL_HDRS)
	$(CC) $(CFLAGS) -c $< -o $@.o
	$(CC) $(CFLAGS) $(LDFLAGS) $@.o $(LDLIBS) -o $@

# A native test, which also runs with the module, and needs the library's locks
$(OUTPUT)/lib_attributes: ../unit/lib/test_attributes.c $(EVNT_LIB)/libevntprov.a
	$(CC) $(filter-out -D_GNU_SOURCE,$(CFLAGS)) -fsanitize=address $< \
		$(EVNT_LIB)/libevntprov.a -lpthread -o $@

# Needs libevnttdh for payload filters
$(OUTPUT)/lib_payload: lib_payload.c common/lib.h common/etl_scan.h \
		$(EVNT_LIB)/libevntprov.so $(EVNT_LIB)/libevnttdh.so
	$(CC) $(CFLAGS) -I$(REPO)/tdh/include $< -L$(EVNT_LIB) -levnttdh \
		$(LDLIBS) -o $@

# Linked with the archive and a static C library
$(OUTPUT)/static: static.c common/lib.h common/etl_scan.h $(EVNT_LIB)/libevntprov.a
	$(CC) $(CFLAGS) -static $< $(EVNT_LIB)/libevntprov.a -lpthread -o $@

$(OUTPUT)/plugin_shared.so: plugin.c common/lib.h
	$(CC) $(CFLAGS) -fPIC -shared $< $(LDLIBS) -o $@

# Contains the archive, but exports nothing of it
$(OUTPUT)/plugin_static.so: plugin.c common/lib.h $(EVNT_LIB)/libevntprov.a
	$(CC) $(CFLAGS) -fPIC -shared $< $(EVNT_LIB)/libevntprov.a \
		-Wl,--exclude-libs,ALL -lpthread -o $@

# Goes into programs that know nothing of it
$(OUTPUT)/guest_provider.so: ../unit/private/guest_provider.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(filter-out -D_GNU_SOURCE,$(CFLAGS)) -fPIC -shared $< $(LDLIBS) -ldl -o $@

# Frame pointers make its stacks the same in each run
$(OUTPUT)/private_same: CFLAGS += -fno-omit-frame-pointer

# Frame pointers, so that the kernel finds its stacks
$(OUTPUT)/system_stack: CFLAGS += -fno-omit-frame-pointer

# Frame pointers, so that its stacks are found
$(OUTPUT)/stack_program: stack_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) -fno-omit-frame-pointer $< $(LDLIBS) -o $@

# The example, used by evnt_why.sh
$(OUTPUT)/server: ../../examples/server.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) -fno-omit-frame-pointer $< $(LDLIBS) -o $@

# Used by evnt_classic.sh
$(OUTPUT)/classic_program: classic_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) $< $(LDLIBS) -o $@

# Used by evnt_live.sh
$(OUTPUT)/fields_program: fields_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) $< $(LDLIBS) -o $@

# Used by evnt_rings.sh
$(OUTPUT)/ring_program: ring_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) $< $(LDLIBS) -o $@

# With their manifest in a note; and one without, which loads the library
MANIFEST := $(OUTPUT)/manifest_program.h
NOTES := $(OUTPUT)/manifest_program.S
MC_FLAGS := $(CFLAGS) -I$(OUTPUT) -Wno-unused-variable

$(MANIFEST) $(NOTES) &: cli/manifest_program.man $(EVNT_BUILD)/tools/evntmc
	$(EVNT_BUILD)/tools/evntmc -o $(OUTPUT) $<

$(OUTPUT)/manifest_program: manifest_program.c $(MANIFEST) $(NOTES) \
		$(EVNT_LIB)/libevntprov.so
	$(CC) $(MC_FLAGS) $< $(NOTES) $(LDLIBS) -ldl -o $@

$(OUTPUT)/manifest_static: manifest_program.c $(MANIFEST) $(NOTES) \
		$(EVNT_LIB)/libevntprov.a
	$(CC) $(MC_FLAGS) -Wl,--build-id -static -DALONE $< $(NOTES) \
		$(EVNT_LIB)/libevntprov.a -lpthread -o $@

$(OUTPUT)/manifest_bare: manifest_program.c $(MANIFEST) \
		$(EVNT_LIB)/libevntprov.so
	$(CC) $(MC_FLAGS) $< $(LDLIBS) -ldl -o $@

$(OUTPUT)/manifest_library.so: manifest_program.c $(MANIFEST) $(NOTES) \
		$(EVNT_LIB)/libevntprov.so
	$(CC) $(MC_FLAGS) -fPIC -shared $< $(NOTES) $(LDLIBS) -o $@
