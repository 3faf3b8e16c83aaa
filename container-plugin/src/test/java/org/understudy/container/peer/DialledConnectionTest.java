package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.test.Condition.await;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Acceptor;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.GroupDescription;
import org.understudy.replication.runtime.handshake.PeerSession;

class DialledConnectionTest {
  private final List<Boolean> verified = new CopyOnWriteArrayList<>();
  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch returns = new CountDownLatch(1);

  /** The peer has the first request, and responds, before the thread that wrote it returns from the socket. */
  @Test
  void nextRequestWaitsForTheThreadThatWroteTheLast() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        SlowSocket socket = new SlowSocket(server)) {
      CompletableFuture<Void> peer = CompletableFuture.runAsync(() -> serve(server));
      URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/peer");
      try (DialledConnection connection = DialledConnection.open(socket, url, null, new Dialer(credentials(1), new ReplicaId(2)))) {
        socket.slow = true;
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> ping(connection));
        taken.await();
        Thread second = new Thread(() -> ping(connection));
        second.start();
        await(() -> second.getState() == Thread.State.BLOCKED || !second.isAlive());
        returns.countDown();
        first.get();
        second.join();
        await(() -> verified.size() >= 2);
      }
      peer.get();
    }
    assertEquals(List.of(true, true), verified);
  }

  /** Half a request may be on its way: the next one would be read as its other half. */
  @Test
  void errorWithinARequestEndsTheConnection() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
        SlowSocket socket = new SlowSocket(server)) {
      CompletableFuture<Void> peer = CompletableFuture.runAsync(() -> serve(server));
      URI url = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/peer");
      try (DialledConnection connection = DialledConnection.open(socket, url, null, new Dialer(credentials(1), new ReplicaId(2)))) {
        socket.failing = true;
        assertThrows(NoClassDefFoundError.class, () -> ping(connection));
        assertTrue(socket.isClosed());
      }
      assertThrows(ExecutionException.class, peer::get);
    }
    assertEquals(List.of(), verified);
  }

  private static void ping(DialledConnection connection) {
    try {
      connection.write(null, null);
    } catch (IOException | HttpException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Accepts one connection, and verifies its requests until it ends. */
  private void serve(ServerSocket server) {
    try (Socket socket = server.accept(); DefaultBHttpServerConnection http = new DefaultBHttpServerConnection("http", null)) {
      http.bind(socket);
      Acceptor acceptor = new Acceptor(credentials(2));
      respond(http, acceptor.reply(content(http, http.receiveRequestHeader())));
      respond(http, acceptor.answer(content(http, http.receiveRequestHeader())));
      PeerSession session = acceptor.complete();
      EnvelopeSeal seal = new EnvelopeSeal(session.incoming(), session.incomingContent());
      for (ClassicHttpRequest request = http.receiveRequestHeader(); request != null; request = http.receiveRequestHeader()) {
        String value = request.getFirstHeader(EnvelopeSeal.HEADER).getValue();
        verified.add(seal.verify(value, EnvelopeSeal.REQUEST, null, null, content(http, request)));
      }
    } catch (IOException | HttpException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] content(DefaultBHttpServerConnection http, ClassicHttpRequest request) throws IOException, HttpException {
    http.receiveRequestEntity(request);
    return request.getEntity() == null ? new byte[0] : request.getEntity().getContent().readAllBytes();
  }

  private static void respond(DefaultBHttpServerConnection http, byte[] handshake) throws IOException, HttpException {
    ClassicHttpResponse response = new BasicClassicHttpResponse(200);
    response.setHeader("Content-Type", PeerListener.HANDSHAKE);
    response.setHeader("Content-Length", handshake.length);
    response.setEntity(new ByteArrayEntity(handshake, null));
    http.sendResponseHeader(response);
    http.sendResponseEntity(response);
    http.flush();
  }

  private static Credentials credentials(int self) {
    Map<ReplicaId, String> list = Map.of(new ReplicaId(1), "a", new ReplicaId(2), "b");
    return new Credentials(
        new ReplicaId(self), new GroupDescription("g", "primary-backup", list, list), "a secret of two".getBytes(StandardCharsets.UTF_8));
  }

  /** Has the first thread that writes when it is slow wait after its bytes have left; or writes half of them and fails. */
  private final class SlowSocket extends Socket {
    private volatile boolean slow;
    private volatile boolean failing;

    SlowSocket(ServerSocket server) throws IOException {
      super(server.getInetAddress(), server.getLocalPort());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          out.write(bytes, offset, failing ? length / 2 : length);
          if (failing) {
            throw new NoClassDefFoundError("for the test");
          }
          if (slow) {
            slow = false;
            taken.countDown();
            await(() -> returns.getCount() == 0);
          }
        }
      };
    }
  }
}
