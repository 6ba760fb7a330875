package logparse

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A wait names what a thread waits on by the frames of its stack.
type wait struct {
	name   string   // the label waits_on
	top    []string // one of these stands in the stack
	within []string // and one of these; empty is any
}

// waits is in order of precision: the first that fits names the wait.
var waits = []wait{
	{name: "polling", top: []string{"oracle.tip.adapter.", ".InboundWork"}, within: []string{"InboundWork.run", "Poller"}},
	{name: "idle", top: []string{"ThreadPoolExecutor.getTask", "ForkJoinPool.awaitWork", "weblogic.work.ExecuteThread.waitForRequest"}},
	{name: "pool_borrow", top: []string{
		"ConcurrentBag.borrow", "HikariPool.getConnection", "GenericObjectPool.borrowObject", "BasicResourcePool.checkoutResource",
		"BasicResourcePool.awaitAvailable", "jdbc.pool.ConnectionPool.borrowConnection", "agroal.pool.ConnectionPool", "getPoolEntryBlocking",
		"PoolingHttpClientConnectionManager.leaseConnection", "database/sql.(*DB).conn(", "connection_pool", "ConnectionEnv.reserve",
	}},
	{name: "jdbc_read", top: socketReads, within: []string{
		"oracle.jdbc", "oracle.net", "org.postgresql.", "com.mysql.", "org.mariadb.", "com.microsoft.sqlserver", "com.ibm.db2", "net.sourceforge.jtds",
	}},
	{name: "pinned_carrier", top: []string{"VirtualThread.parkOnCarrierThread"}},
	{name: "http_client", top: socketReads, within: []string{
		"sun.net.www.http", "org.apache.http", "org.apache.hc.", "okhttp3.", "http.outbound", "HttpOutboundMessageContext", "jdk.internal.net.http",
	}},
	{name: "http_client", top: []string{"java.net.http.HttpClient", "jdk.internal.net.http.HttpClientImpl.send", "okhttp3.internal.http2", "net/http.(*persistConn).roundTrip"}},
	{name: "lock", top: []string{
		"State: BLOCKED", "- waiting to lock", "ReentrantLock.lock", "ReentrantLock$Sync.lock", "ReentrantReadWriteLock", "StampedLock",
		"sync.(*Mutex).Lock", "sync.(*RWMutex)", "Semaphore.acquire", "pg_advisory_lock",
	}},
	{name: "future_get", top: []string{"FutureTask.get", "FutureTask.awaitDone", "CompletableFuture.get", "CompletableFuture.timedGet", "CompletableFuture.join", "CountDownLatch.await", "sync.(*WaitGroup).Wait"}},
	{name: "socket_read", top: socketReads},
	{name: "result_set", top: []string{"database/sql.(*Rows).awaitDone"}},
	{name: "sleep", top: []string{"java.lang.Thread.sleep", "Thread.sleep0", "TimeUnit.sleep", "time.Sleep("}},
	{name: "queue", top: []string{"BlockingQueue.take", "BlockingQueue.put", "BlockingQueue.poll", "BlockingDeque.take", "chan send", "chan receive"}},
	{name: "park", top: []string{"LockSupport.park", "Unsafe.park", "Object.wait(", "VirtualThread.park"}},
}

var socketReads = []string{
	"SocketInputStream.socketRead0", "SocketInputStream.read", "NioSocketImpl.read", "NioSocketImpl.park", "SocketChannelImpl.read",
	"SSLSocketInputRecord.read", "internal/poll.(*FD).Read",
}

// waitsOn says what the thread of a stack trace waits on, or "".
func waitsOn(trace []byte) string {
	if len(trace) == 0 {
		return ""
	}
	holds := func(s string) bool { return bytes.Contains(trace, []byte(s)) }
	for _, w := range waits {
		if slices.ContainsFunc(w.top, holds) && (len(w.within) == 0 || slices.ContainsFunc(w.within, holds)) {
			return w.name
		}
	}
	return ""
}

var jdk = []string{"java.", "javax.", "jdk.", "sun.", "com.sun.", "jakarta."}

// frameworks are the packages that are not the application's own.
var frameworks = []string{
	"java.", "javax.", "jdk.", "sun.", "com.sun.", "jakarta.", "kotlin.", "kotlinx.", "scala.", "io.vertx.", "io.netty.", "io.quarkus.", "io.smallrye.",
	"io.micrometer.", "io.micronaut.", "org.jboss.", "org.springframework.", "org.apache.", "org.hibernate.", "org.eclipse.", "org.postgresql.", "com.mysql.",
	"oracle.", "weblogic.", "com.bea.", "com.zaxxer.", "reactor.", "io.projectreactor.", "io.lettuce.", "redis.clients.", "okhttp3.", "com.fasterxml.", "com.ibatis.", "org.mybatis.", "org.mariadb.",
}

// applicationFrame returns the class of the first frame that is the
// application's own, else of the first one outside the JDK, else of the first.
func applicationFrame(trace []byte) string {
	first, outside := "", ""
	for line := range bytes.Lines(trace) {
		class := frameClass(string(line))
		switch {
		case class == "":
		case !startsWithAny(class, frameworks):
			return class
		case outside == "" && !startsWithAny(class, jdk):
			outside = class
		case first == "":
			first = class
		}
	}
	return cmp.Or(outside, first)
}

func startsWithAny(class string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(class, p) })
}

// topFrame returns the first frame of a trace, or nil.
func topFrame(trace []byte) []byte {
	for line := range bytes.Lines(trace) {
		if frameClass(string(line)) != "" {
			return line
		}
	}
	return nil
}

// frameClass returns the class of a frame "at module/package.Class.method(...)",
// with or without "at", or "".
func frameClass(line string) string {
	name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "at "), "(")
	if !ok || strings.ContainsAny(name, " \t:") {
		return ""
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return ""
}
