package org.understudy.replication.runtime.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name with several addresses is as good as the best of them. */
class PeerAddressesTest {
  private static final InetSocketAddress FIRST = new InetSocketAddress("127.0.0.1", 7801);
  private static final InetSocketAddress SECOND = new InetSocketAddress("127.0.0.2", 7801);

  private static String use(IOException first, IOException second) throws IOException {
    return PeerAddresses.first(List.of(FIRST, SECOND), address -> {
      IOException failure = address.equals(FIRST) ? first : second;
      if (failure != null) {
        throw failure;
      }
      return address.getAddress().getHostAddress();
    });
  }

  @Test
  void theFirstAddressThatCanBeUsedIsUsed() throws Exception {
    assertEquals("127.0.0.1", use(null, new ConnectException("refused")));
    assertEquals("127.0.0.2", use(new ConnectException("refused"), null));
    assertEquals("127.0.0.2", use(new SocketTimeoutException("no answer"), null));
  }

  @Test
  void aPeerIsGoneOnlyIfNothingListensAtAnyAddress() {
    IOException refused = new ConnectException("refused");
    IOException silent = new SocketTimeoutException("no answer");
    assertSame(refused, assertThrows(ConnectException.class, () -> use(refused, refused)));
    assertSame(silent, assertThrows(IOException.class, () -> use(refused, silent)));
    assertSame(silent, assertThrows(IOException.class, () -> use(silent, refused)));
    assertSame(silent, assertThrows(IOException.class, () -> use(silent, new IOException("closed"))));
  }

  @Test
  void anAddressIsItsOwnName() throws Exception {
    assertEquals(List.of(FIRST), PeerAddresses.of(InetSocketAddress.createUnresolved("127.0.0.1", 7801)));
    assertEquals(
        List.of(new InetSocketAddress("::1", 7801)), PeerAddresses.of(InetSocketAddress.createUnresolved("[::1]", 7801)));
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("name with spaces", 7801);
    String why = assertThrows(UnknownHostException.class, () -> PeerAddresses.of(unknown)).getMessage();
    assertTrue(why.contains("The host name with spaces is unknown."), why);
  }
}
