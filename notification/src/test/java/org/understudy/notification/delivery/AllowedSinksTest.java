package org.understudy.notification.delivery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class AllowedSinksTest {
  @Test
  void loopbackIsAllowedOnlyIfListed() {
    Predicate<URI> without = AllowedSinks.only(Set.of("sink.example"));
    Predicate<URI> with = AllowedSinks.only(Set.of("sink.example", "LOCALHOST"));
    for (String host : new String[] {"127.0.0.1", "localhost", "127.1.2.3", "[::1]"}) {
      assertFalse(without.test(URI.create("http://" + host + "/x")), host);
      assertTrue(with.test(URI.create("http://" + host + "/x")), host);
    }
    assertTrue(without.test(URI.create("http://Sink.example:8080/x")));
    assertFalse(with.test(URI.create("http://other.example/x")));
  }
}
