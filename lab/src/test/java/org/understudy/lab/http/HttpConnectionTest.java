package org.understudy.lab.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** What happens to the socket of a connection that cannot be made. */
class HttpConnectionTest {
  /** Fails to connect, or to be read. */
  private static final class Failing extends Socket {
    private final IOException failure;

    /** @param failure null for a socket that connects */
    Failing(IOException failure) {
      this.failure = failure;
    }

    @Override
    public void connect(SocketAddress server, int timeoutMs) throws IOException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public InputStream getInputStream() throws IOException {
      throw new SocketException("closed by the server");
    }
  }

  private static IOException failure(Failing socket) {
    HttpConnection connection = new HttpConnection(URI.create("http://127.0.0.1:1"), () -> socket);
    return assertThrows(IOException.class, () -> connection.post("/", "urn:none", ""));
  }

  @Test
  void aSocketThatDoesNotConnectIsClosed() {
    for (IOException failure : new IOException[] {new NoRouteToHostException("no route"), new ConnectException("refused"), null}) {
      Failing socket = new Failing(failure);
      IOException thrown = failure(socket);
      assertTrue(socket.isClosed(), thrown.toString());
      assertEquals(failure instanceof ConnectException, thrown instanceof ConnectionRefusedException, thrown.toString());
    }
  }
}
