package logparse

import "testing"

func TestWaitsOn(t *testing.T) {
	tests := []struct{ want, trace string }{
		{"", ""},
		{"", "java.lang.IllegalStateException: x\n\tat com.acme.A.b(A.java:1)\n"},
		{"jdbc_read", "\tjava.net.SocketInputStream.socketRead0(Native Method)\n\toracle.jdbc.driver.T4CPreparedStatement.executeForRows(T4CPreparedStatement.java:1044)\n"},
		{"jdbc_read", "\tat java.base/sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:1)\n\tat org.postgresql.core.v3.QueryExecutorImpl.execute(Q.java:3)\n"},
		{"http_client", "\tat java.net.SocketInputStream.socketRead0(Native Method)\n\tat org.apache.http.impl.io.SessionInputBufferImpl.fillBuffer(S.java:1)\n"},
		{"socket_read", "\tat java.net.SocketInputStream.socketRead0(Native Method)\n\tat com.acme.Client.read(Client.java:1)\n"},
		{"pool_borrow", "\tat java.lang.Object.wait(Native Method)\n\tat com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)\n"},
		{"pool_borrow", "database/sql.(*DB).conn(0xc000152000, {0x8b2c78}, 0x1)\n"},
		{"result_set", "database/sql.(*Rows).awaitDone(0xc0008c0267)\n"},
		{"lock", "   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat com.acme.A.b(A.java:1)\n"},
		{"pinned_carrier", "      java.base/java.lang.VirtualThread.parkOnCarrierThread(V.java:661)\n      java.base/java.util.concurrent.locks.ReentrantLock.lock(R.java:322)\n"},
		{"future_get", "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\tat java.util.concurrent.FutureTask.get(FutureTask.java:190)\n\tat java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:1)\n"},
		{"idle", "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\tat java.util.concurrent.LinkedBlockingQueue.take(L.java:1)\n\tat java.util.concurrent.ThreadPoolExecutor.getTask(T.java:1)\n"},
		{"queue", "\tat java.util.concurrent.ArrayBlockingQueue.put(A.java:1)\n\tat java.util.concurrent.BlockingQueue.put(B.java:1)\n"},
		{"sleep", "\tat java.lang.Thread.sleep(Native Method)\n\tat com.acme.A.b(A.java:1)\n"},
		{"park", "\tat jdk.internal.misc.Unsafe.park(Native Method)\n\tat com.acme.A.b(A.java:1)\n"},
		{"polling", "\tjava.lang.Object.wait(Native Method)\n\toracle.tip.adapter.db.InboundWork.run(InboundWork.java:498)\n"},
	}
	for _, tt := range tests {
		if got := waitsOn([]byte(tt.trace)); got != tt.want {
			t.Errorf("waitsOn(%q) = %q, want %q", tt.trace, got, tt.want)
		}
	}
}

func TestApplicationFrame(t *testing.T) {
	tests := []struct{ want, trace string }{
		{"", "no frame here\n"},
		{"com.acme.Dao", "\tat java.net.Socket.read(Socket.java:1)\n\tat org.postgresql.Q.x(Q.java:2)\n\tat com.acme.Dao.all(Dao.java:3)\n"},
		{"com.acme.Dao$Inner", "\tat java.base@21.0.4/java.lang.Thread.sleep(Thread.java:1)\n\tat app//com.acme.Dao$Inner.all(Dao.java:3)\n"},
		{"oracle.tip.adapter.db.InboundWork", "\tjava.lang.Object.wait(Native Method)\n\toracle.tip.adapter.db.InboundWork.run(InboundWork.java:498)\n"},
		{"java.util.zip.Inflater", "\tat java.base@21.0.4/java.util.zip.Inflater.inflateBytesBytes(Native Method)\n"},
	}
	for _, tt := range tests {
		if got := applicationFrame([]byte(tt.trace)); got != tt.want {
			t.Errorf("applicationFrame(%q) = %q, want %q", tt.trace, got, tt.want)
		}
	}
}
