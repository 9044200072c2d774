// SPDX-License-Identifier: MIT
/* Cost of an event, here and in other tracers: see scripts/bench. */
#include "bench.h"

char bench_payload[BENCH_MAX_PAYLOAD];

int main(int argc, char **argv)
{
	static const struct bench_row *const lists[] = {
		bench_calls, bench_events, bench_enable, bench_in_kernel,
		bench_system, bench_peers, NULL,
	};
	unsigned int i;

	for (i = 0; i < sizeof(bench_payload); i++)
		bench_payload[i] = 'a' + i % 26;
	return bench_main(argc, argv, lists, true);
}
