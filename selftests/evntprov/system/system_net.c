// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the kernel about TCP and UDP, by two processes that talk over the
 * loopback device.
 */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define SYSTEM_MODE	EVENT_TRACE_SYSTEM_LOGGER_MODE
#define FLAG		EVENT_TRACE_FLAG_NETWORK_TCPIP

#define REQUEST		1000
#define REPLY		300

/* Either side of a connection, in the order of the network */
union address {
	struct sockaddr any;
	struct sockaddr_in ipv4;
	struct sockaddr_in6 ipv6;
};

FIXTURE(net) {
	union address server;
	socklen_t len;
	int listener;
	TRACEHANDLE session;
	struct system_log *log;
};

FIXTURE_VARIANT(net) {
	int family;
	const char *address;
	uint32_t len;		/* of an address in an event */
};

FIXTURE_VARIANT_ADD(net, ipv4) {
	.family = AF_INET,
	.address = "127.0.0.1",
	.len = 4,
};

FIXTURE_VARIANT_ADD(net, ipv6) {
	.family = AF_INET6,
	.address = "::1",
	.len = 16,
};

/* Sockets of IPv6 that use IPv4 */
FIXTURE_VARIANT_ADD(net, mapped) {
	.family = AF_INET6,
	.address = "::ffff:127.0.0.1",
	.len = 4,
};

static in_port_t port_of(const union address *a)
{
	return a->any.sa_family == AF_INET ? a->ipv4.sin_port :
					     a->ipv6.sin6_port;
}

static bool start_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool done = !ioctl(fd, SIOCGIFFLAGS, &request);

	request.ifr_flags |= IFF_UP;
	done = done && !ioctl(fd, SIOCSIFFLAGS, &request);
	close(fd);
	return done;
}

/* Return a socket that is bound to a free port, and its address, or -1 */
static int bind_any(const FIXTURE_VARIANT(net) *variant, int type,
		    union address *a, socklen_t *len)
{
	int fd = socket(variant->family, type | SOCK_CLOEXEC, 0);

	memset(a, 0, sizeof(*a));
	a->any.sa_family = variant->family;
	if (variant->family == AF_INET) {
		*len = sizeof(a->ipv4);
		inet_pton(AF_INET, variant->address, &a->ipv4.sin_addr);
	} else {
		*len = sizeof(a->ipv6);
		inet_pton(AF_INET6, variant->address, &a->ipv6.sin6_addr);
	}
	if (fd >= 0 && !bind(fd, &a->any, *len) && !getsockname(fd, &a->any, len))
		return fd;
	close(fd);
	return -1;
}

FIXTURE_SETUP(net)
{
	self->listener = -1;
	if (start_loopback())
		self->listener = bind_any(variant, SOCK_STREAM, &self->server,
					  &self->len);
	if (self->listener < 0)
		return;
	ASSERT_EQ(0, listen(self->listener, 8));
	ASSERT_EQ(0, system_start("net", SYSTEM_LOG, SYSTEM_MODE, FLAG,
				  &self->session));
}

FIXTURE_TEARDOWN(net)
{
	system_end(self->session, self->log);
	close(self->listener);
}

#define SKIP_WITHOUT_NETWORK()						\
	do {								\
		if (self->listener < 0)					\
			SKIP(return, "the kernel has no such network");	\
	} while (0)

/* An event that there should be */
struct want {
	uint32_t class;
	uint8_t type;
	uint32_t len;		/* of the event, for IPv4 */
	uint32_t pid;
	uint32_t size;
	in_port_t to;		/* of a connection, of the other side */
	in_port_t from;
};

static uint16_t field16(const struct system_event *e, uint32_t at)
{
	return field(e, at);
}

/* The next event with its type and ports, or NULL */
static const struct system_event *
next_of(const struct system_log *log, const struct system_event *after,
	uint32_t address_len, const struct want *w)
{
	const uint8_t type = w->type + (address_len == 16 ? 16 : 0);
	const uint32_t at = 8 + 2 * address_len;

	return next_event(log, after, w->class, type, at,
			  w->to | (uint32_t)w->from << 16);
}

/* Check the first event, which is the only one if @is_single */
static void check(struct __test_metadata *_metadata,
		  const struct system_log *log, uint32_t address_len,
		  const struct want *w, bool is_single)
{
	static const uint8_t address[2][16] = { { 127, 0, 0, 1 }, { [15] = 1 } };
	const struct system_event *e = next_of(log, NULL, address_len, w);

	ASSERT_NE(NULL, e)
		TH_LOG("no event of type %u and process %u", w->type, w->pid);
	EXPECT_EQ(2, e->version);
	EXPECT_EQ(~0u, e->tid);
	EXPECT_EQ(w->len + 2 * (address_len - 4), e->len);
	EXPECT_EQ(w->pid, field(e, 0))
		TH_LOG("type %u", w->type);
	EXPECT_EQ(w->size, field(e, 4))
		TH_LOG("type %u", w->type);
	EXPECT_EQ(0, memcmp(e->data + 8, address[address_len == 16],
			    address_len));
	EXPECT_EQ(0, memcmp(e->data + 8 + address_len,
			    address[address_len == 16], address_len));
	if (is_single)
		EXPECT_EQ(NULL, next_of(log, e, address_len, w))
			TH_LOG("type %u", w->type);
}

/* Connect in another process and run @talk there; returns the process */
static pid_t connect_to(const FIXTURE_DATA(net) *self, bool (*talk)(int fd))
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	fd = socket(self->server.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	_exit(fd < 0 || connect(fd, &self->server.any, self->len) || !talk(fd));
}

static bool has_ended(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && !status;
}

/* Send a request, receive the reply, and close */
static bool request(int fd)
{
	char data[REQUEST] = "";

	return send(fd, data, REQUEST, 0) == REQUEST &&
	       recv(fd, data, REPLY, MSG_WAITALL) == REPLY && !close(fd);
}

/* Look at the request, receive it, reply, and close when the other side does */
static bool reply(int fd)
{
	char data[REQUEST];

	return recv(fd, data, 1, MSG_PEEK) == 1 &&
	       recv(fd, data, REQUEST, MSG_WAITALL) == REQUEST &&
	       send(fd, data, REPLY, 0) == REPLY && !recv(fd, data, 1, 0) &&
	       !close(fd);
}

TEST_F(net, a_connection_has_events_of_both_processes)
{
	const in_port_t server = port_of(&self->server);
	const uint32_t end = 12 + 2 * variant->len;
	const struct system_event *e;
	struct tcp_info info = {};
	union address client;
	unsigned int i;
	in_port_t port;
	socklen_t len;
	pid_t pid;
	int fd;

	SKIP_WITHOUT_NETWORK();
	pid = connect_to(self, request);
	len = sizeof(client);
	fd = accept(self->listener, &client.any, &len);
	ASSERT_LE(0, fd);
	len = sizeof(info);
	ASSERT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len));
	ASSERT_TRUE(reply(fd));
	ASSERT_TRUE(has_ended(pid));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	port = port_of(&client);
	const struct want want[] = {
		{ TCP, NET_ACCEPT, 48, getpid(), 0, port, server },
		{ TCP, NET_RECEIVE, 32, getpid(), REQUEST, port, server },
		{ TCP, NET_SEND, 40, getpid(), REPLY, port, server },
		{ TCP, NET_DISCONNECT, 32, getpid(), 0, port, server },
		{ TCP, NET_CONNECT, 48, pid, 0, server, port },
		{ TCP, NET_SEND, 40, pid, REQUEST, server, port },
		{ TCP, NET_RECEIVE, 32, pid, REPLY, server, port },
		{ TCP, NET_DISCONNECT, 32, pid, 0, server, port },
	};
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		check(_metadata, self->log, variant->len, &want[i], true);

	e = next_of(self->log, NULL, variant->len, &want[0]);
	ASSERT_NE(NULL, e);
	EXPECT_LT(0, field16(e, end));
	EXPECT_EQ(!!(info.tcpi_options & TCPI_OPT_SACK), field16(e, end + 2));
	EXPECT_EQ(!!(info.tcpi_options & TCPI_OPT_TIMESTAMPS),
		  field16(e, end + 4));
	EXPECT_EQ(!!(info.tcpi_options & TCPI_OPT_WSCALE), field16(e, end + 6));
	EXPECT_LT(0, field(e, end + 8));
	EXPECT_EQ(+info.tcpi_rcv_wscale, field16(e, end + 12));
	EXPECT_EQ(+info.tcpi_snd_wscale, field16(e, end + 14));
	EXPECT_EQ(0, field(e, end + 16));
	EXPECT_EQ(0, field64(e, end + 20));
}

/* Send a byte when connect() has returned, which a reset interrupts; wait for one */
static bool wait_for_reset(int fd)
{
	char c = 0;

	return send(fd, &c, 1, 0) == 1 && recv(fd, &c, 1, 0) < 0 &&
	       errno == ECONNRESET;
}

/* Close a connection without waiting for the other side */
static void reset(int fd)
{
	const struct linger now = { .l_onoff = 1 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

TEST_F(net, a_connection_that_is_reset_ends_in_the_process_that_has_it)
{
	union address client;
	socklen_t len = sizeof(client);
	pid_t pid;
	char c;
	int fd;

	SKIP_WITHOUT_NETWORK();
	pid = connect_to(self, wait_for_reset);
	fd = accept(self->listener, &client.any, &len);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, recv(fd, &c, 1, 0));
	reset(fd);
	ASSERT_TRUE(has_ended(pid));
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	const struct want want = {
		TCP, NET_DISCONNECT, 32, pid, 0, port_of(&self->server),
		port_of(&client)
	};
	check(_metadata, self->log, variant->len, &want, true);
}

/* Wait until a socket has sent a segment again; false if it does not */
static bool wait_for_retransmit(int fd)
{
	struct tcp_info info;
	socklen_t len;
	unsigned int i;

	for (i = 0; i < 6000; i++) {
		len = sizeof(info);
		if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
			return false;
		if (info.tcpi_total_retrans)
			return true;
		usleep(10000);
	}
	return false;
}

TEST_F(net, a_segment_that_is_sent_again_has_an_event)
{
	struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog filter = { .len = 1, .filter = &nothing };
	char data[REQUEST] = "";
	union address client;
	socklen_t len = sizeof(client);
	int from, to;

	SKIP_WITHOUT_NETWORK();
	from = socket(variant->family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ASSERT_EQ(0, connect(from, &self->server.any, self->len));
	to = accept(self->listener, &client.any, &len);
	ASSERT_LE(0, to);
	ASSERT_EQ(0, setsockopt(to, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
				sizeof(filter)));
	ASSERT_EQ(REQUEST, send(from, data, REQUEST, 0));
	ASSERT_TRUE(wait_for_retransmit(from));
	reset(from);
	reset(to);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	const struct want want = {
		TCP, NET_RETRANSMIT, 32, getpid(), REQUEST,
		port_of(&self->server), port_of(&client)
	};
	check(_metadata, self->log, variant->len, &want, false);
}

TEST_F(net, a_datagram_has_an_event_when_it_is_sent_and_received)
{
	char data[REQUEST] = "";
	union address from, to;
	int sender, receiver;
	socklen_t len;
	pid_t pid;

	SKIP_WITHOUT_NETWORK();
	sender = bind_any(variant, SOCK_DGRAM, &from, &len);
	receiver = bind_any(variant, SOCK_DGRAM, &to, &len);
	ASSERT_LE(0, sender);
	ASSERT_LE(0, receiver);
	pid = fork();
	if (!pid)
		_exit(sendto(sender, data, REQUEST, 0, &to.any, len) != REQUEST);
	ASSERT_EQ(1, recv(receiver, data, 1, MSG_PEEK));
	ASSERT_EQ(REQUEST, recv(receiver, data, REQUEST, 0));
	ASSERT_TRUE(has_ended(pid));
	close(sender);
	close(receiver);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(0, self->log->lost);
	const struct want want[] = {
		{ UDP, NET_SEND, 32, pid, REQUEST, port_of(&to),
		  port_of(&from) },
		{ UDP, NET_RECEIVE, 32, getpid(), REQUEST, port_of(&to),
		  port_of(&from) },
	};
	check(_metadata, self->log, variant->len, &want[0], true);
	check(_metadata, self->log, variant->len, &want[1], true);
}

TEST_F(net, events_of_a_system_call_may_have_call_stacks)
{
	const CLASSIC_EVENT_ID id = { TcpIpGuid, NET_SEND };
	char data[REQUEST] = "";
	const struct system_event *e, *stack;
	union address client;
	socklen_t len = sizeof(client);
	unsigned int i;
	int from, to;

	SKIP_WITHOUT_NETWORK();
	ASSERT_EQ(0, TraceSetInformation(self->session, TraceStackTracingInfo,
					 (PVOID)&id, sizeof(id)));
	from = socket(variant->family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ASSERT_EQ(0, connect(from, &self->server.any, self->len));
	to = accept(self->listener, &client.any, &len);
	ASSERT_LE(0, to);
	ASSERT_EQ(REQUEST, send(from, data, REQUEST, 0));
	ASSERT_EQ(REQUEST, recv(to, data, REQUEST, MSG_WAITALL));
	close(from);
	close(to);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	const struct want want[] = {
		{ TCP, NET_ACCEPT, 0, 0, 0, port_of(&client),
		  port_of(&self->server) },
		{ TCP, NET_SEND, 0, 0, 0, port_of(&self->server),
		  port_of(&client) },
		{ TCP, NET_RECEIVE, 0, 0, 0, port_of(&client),
		  port_of(&self->server) },
	};
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		e = next_of(self->log, NULL, variant->len, &want[i]);
		ASSERT_NE(NULL, e);
		stack = find_stack(self->log, e->time, gettid());
		ASSERT_NE(NULL, stack)
			TH_LOG("type %u", want[i].type);
		EXPECT_EQ(getpid(), field(stack, 8));
		/* The last frame is the program's */
		EXPECT_LT(16 + 8, stack->len);
		EXPECT_EQ(0, field64(stack, stack->len - 8) >> 63)
			TH_LOG("type %u", want[i].type);
	}
}

TEST_F(net, events_have_no_call_stacks_by_default)
{
	char data[REQUEST] = "";
	union address to;
	socklen_t len;
	int sender, receiver;

	SKIP_WITHOUT_NETWORK();
	sender = bind_any(variant, SOCK_DGRAM, &to, &len);
	receiver = bind_any(variant, SOCK_DGRAM, &to, &len);
	ASSERT_LE(0, sender);
	ASSERT_EQ(REQUEST, sendto(sender, data, REQUEST, 0, &to.any, len));
	ASSERT_EQ(REQUEST, recv(receiver, data, REQUEST, 0));
	close(sender);
	close(receiver);
	self->log = system_log_end(&self->session);
	ASSERT_NE(NULL, self->log);
	EXPECT_EQ(NULL, next_event(self->log, NULL, STACKWALK, STACK, 12,
				   gettid()));
}

/* A kernel without IP accepts the flag, too */
TEST(the_provider_of_io_has_a_keyword_for_the_network)
{
	const GUID provider = SystemIoProviderGuid;
	struct properties p = properties_for("");
	TRACEHANDLE session;

	ASSERT_EQ(0, system_start("net", SYSTEM_LOG, SYSTEM_MODE, 0, &session));
	EXPECT_EQ(0, EnableTraceEx2(session, &provider,
				    EVENT_CONTROL_CODE_ENABLE_PROVIDER, 0,
				    SYSTEM_IO_KW_NETWORK, 0, 0, NULL));
	EXPECT_EQ(0, QueryTraceA(session, NULL, &p.p));
	EXPECT_EQ(FLAG, p.p.EnableFlags);
	system_end(session, NULL);
}

TEST_HARNESS_MAIN
