// SPDX-License-Identifier: GPL-2.0
/*
 * On a machine with more than one memory node, each processor has buffers of
 * its own node.
 */
#include <unistd.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"

#define BUFFERS		64
#define BUFFER_SIZE	(64 * 1024)

/* Count buffer pages per node; an allocation's line contains N0=16 */
static bool count_pages(unsigned int pages[2])
{
	FILE *f = fopen("/proc/vmallocinfo", "r");
	unsigned int node;
	char line[512], *p;

	memset(pages, 0, 2 * sizeof(*pages));
	while (f && fgets(line, sizeof(line), f)) {
		if (!strstr(line, "evnt_alloc_pages"))
			continue;
		for (node = 0; node < 2; node++) {
			p = strstr(line, node ? " N1=" : " N0=");
			pages[node] += p ? strtoul(p + 4, NULL, 10) : 0;
		}
	}
	return f && !fclose(f);
}

TEST(buffers_are_on_the_nodes_of_processors)
{
	struct evntrace_start properties = {
		.min_buffers = BUFFERS, .max_buffers = BUFFERS,
		.buffer_size = BUFFER_SIZE,
	};
	unsigned int before[2], after[2], half;
	int trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	__u64 s;

	if (access("/sys/devices/system/node/node1", F_OK))
		SKIP(return, "one memory node");
	ASSERT_TRUE(trace >= 0);
	ASSERT_TRUE(count_pages(before));
	ASSERT_EQ(0, dev_start(trace, "numa", "/tmp/numa.etl", &properties,
			       &s));
	ASSERT_TRUE(count_pages(after));
	/*
	 * Half of the processors are on each node; the file's header is on node
	 * 0
	 */
	half = BUFFERS * BUFFER_SIZE / sysconf(_SC_PAGESIZE) / 2;
	EXPECT_EQ(half + BUFFER_SIZE / sysconf(_SC_PAGESIZE),
		  after[0] - before[0]);
	EXPECT_EQ(half, after[1] - before[1]);
	EXPECT_EQ(0, dev_control(trace, EVNTRACE_CONTROL_STOP, s, NULL));
	ASSERT_TRUE(count_pages(after));
	EXPECT_EQ(before[0], after[0]);
	EXPECT_EQ(before[1], after[1]);
	close(trace);
}

TEST_HARNESS_MAIN
