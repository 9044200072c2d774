// SPDX-License-Identifier: GPL-2.0
/*
 * A provider in a shared library that is loaded and unloaded 1,000 times, with
 * the library beside it or linked into it; and one linked statically.
 */
#include <dirent.h>
#include <dlfcn.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/lib.h"

#define TIMES	1000

static unsigned int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Open the plugin in this program's folder */
static void *plugin_open(const char *name)
{
	char path[512];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[n < 0 ? 0 : n] = 0;
	strcpy(strrchr(path, '/') + 1, name);
	return dlopen(path, RTLD_NOW);
}

FIXTURE(plugin) {
	TRACEHANDLE session;
};

FIXTURE_VARIANT(plugin) {
	const char *name;
};

FIXTURE_VARIANT_ADD(plugin, shared) {
	.name = "plugin_shared.so",
};

FIXTURE_VARIANT_ADD(plugin, static_inside) {
	.name = "plugin_static.so",
};

FIXTURE_SETUP(plugin)
{
	self->session = session_start("plugin");
	ASSERT_NE(0, self->session);
	ASSERT_EQ(0, session_enable(self->session, 0x91));
}

FIXTURE_TEARDOWN(plugin)
{
	struct etl_scan scan;

	EXPECT_EQ(0, session_stop(self->session, NULL));
	EXPECT_TRUE(etl_scan("/tmp/plugin.etl", &scan, NULL, NULL));
	EXPECT_EQ(many(TIMES), scan.events);
	unlink("/tmp/plugin.etl");
}

TEST_F_TIMEOUT(plugin, a_plugin_is_loaded_and_unloaded_1000_times, 300)
{
	unsigned int threads = count_entries("/proc/self/task");
	unsigned int i, fds = 0;
	unsigned int (*calls)(void);
	ULONG (*write)(unsigned int);
	ULONG (*start)(void);
	ULONG (*stop)(void);
	void *so;

	for (i = 0; i < many(TIMES); i++) {
		so = plugin_open(variant->name);
		ASSERT_NE(NULL, so) {
			TH_LOG("%s", dlerror());
		}
		start = (ULONG (*)(void))dlsym(so, "plugin_start");
		write = (ULONG (*)(unsigned int))dlsym(so, "plugin_write");
		stop = (ULONG (*)(void))dlsym(so, "plugin_stop");
		calls = (unsigned int (*)(void))dlsym(so, "plugin_calls");
		ASSERT_EQ(0, start());
		ASSERT_EQ(1, calls());
		ASSERT_EQ(0, write(i));
		ASSERT_EQ(0, stop());
		ASSERT_EQ(0, dlclose(so));
		if (i == 0)
			fds = count_entries("/proc/self/fd");
	}
	EXPECT_EQ(fds, count_entries("/proc/self/fd"));
	/* A joined thread stays visible in /proc for a moment */
	EXPECT_TRUE(EVENTUALLY(count_entries("/proc/self/task") == threads));
}

TEST_HARNESS_MAIN
