package org.understudy.replication.runtime.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one client is, from its address alone. */
class ClientAddressTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, address:192.0.2.1",
    "2001:db8:1:2:3::4, address:20010db800010002",
    "2001:db8:1:2::, address:20010db800010002",
    "fe80::1%eth0, address:fe80000000000000",
    "::ffff:192.0.2.1, address:::ffff:192.0.2.1",
    "nothing, address:nothing",
  })
  void aClientIsAnAddressOrANetwork(String address, String owner) {
    assertEquals(owner, ClientAddress.owner(address));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "999.999.999.999", "192.0.2.256", "192.0.2", "192.0.2.1.", ".192.0.2.1", "1", "0x7f000001", "a.b", "host", "", ":", "1:2", "::g",
    "12345::", "192.0.2.1 ", "\u0661.2.3.4", "fe80::1%eth0", "abc:def.example"
  })
  void whatIsNoAddressIsNotLookedUp(String text) {
    assertNull(ClientAddress.bytes(text), text);
  }

  @Test
  void literalAddressesAreRead() {
    for (String text : List.of("0.0.0.0", "255.255.255.255", "192.0.2.1", "01.2.3.4")) {
      assertEquals(4, ClientAddress.bytes(text).length, text);
    }
    assertEquals(16, ClientAddress.bytes("2001:db8::1").length);
  }
}
