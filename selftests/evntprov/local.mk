# SPDX-License-Identifier: GPL-2.0
# What is built otherwise than the rest.
TEST_GEN_PROGS := $(filter-out disabled,$(TEST_GEN_PROGS))
TEST_GEN_FILES += disabled plugin_shared.so plugin_static.so stack_program classic_program \
	manifest_program manifest_static manifest_bare manifest_library.so
TEST_FILES += stack_program.c manifest_program.man

EVNT_LIB := $(EVNT_BUILD)/lib

# With what makes payload filters
$(OUTPUT)/lib_payload: lib_payload.c lib.h etl_scan.h \
		$(EVNT_LIB)/libevntprov.so $(EVNT_LIB)/libevnttdh.so
	$(CC) $(CFLAGS) -I$(REPO)/tdh/include $< -L$(EVNT_LIB) -levnttdh \
		$(LDLIBS) -o $@

# Linked against the archive, with a C library of its own
$(OUTPUT)/static: static.c lib.h etl_scan.h $(EVNT_LIB)/libevntprov.a
	$(CC) $(CFLAGS) -static $< $(EVNT_LIB)/libevntprov.a -lpthread -o $@

$(OUTPUT)/plugin_shared.so: plugin.c lib.h
	$(CC) $(CFLAGS) -fPIC -shared $< $(LDLIBS) -o $@

# The archive inside, and nothing of it visible outside
$(OUTPUT)/plugin_static.so: plugin.c lib.h $(EVNT_LIB)/libevntprov.a
	$(CC) $(CFLAGS) -fPIC -shared $< $(EVNT_LIB)/libevntprov.a \
		-Wl,--exclude-libs,ALL -lpthread -o $@

# The stack of it is the same when it does the same again
$(OUTPUT)/private_same: CFLAGS += -fno-omit-frame-pointer

# Its frames are found, and named
$(OUTPUT)/stack_program: stack_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) -fno-omit-frame-pointer $< $(LDLIBS) -o $@

# What evnt_classic.sh runs
$(OUTPUT)/classic_program: classic_program.c $(EVNT_LIB)/libevntprov.so
	$(CC) $(CFLAGS) $< $(LDLIBS) -o $@

# With their manifest in a note; and one without, that loads the library
MANIFEST := $(OUTPUT)/manifest_program.h
NOTES := $(OUTPUT)/manifest_program.S
MC_FLAGS := $(CFLAGS) -I$(OUTPUT) -Wno-unused-variable

$(MANIFEST) $(NOTES) &: manifest_program.man $(EVNT_BUILD)/tools/evntmc
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
