package org.understudy.session.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.VersionHandle;
import org.understudy.session.http.HandleCookie.Seen;

/** Which values of the cookie count. */
class HandleCookieTest {
  private static final byte[] SECRET = "a secret of the group".getBytes(StandardCharsets.UTF_8);

  private final HandleCookie cookies = new HandleCookie(SECRET);

  @Test
  void readsWhatItHasMadeForTheSession() {
    VersionHandle last = VersionHandle.ofGroup(1, VersionHandle.MAX);
    for (long nonce : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (VersionHandle handle : List.of(VersionHandle.INITIAL, VersionHandle.ofGroup(3, 1_207), last)) {
        Seen seen = new Seen(handle, nonce);
        assertEquals(seen, cookies.seen("A", cookies.value("A", seen)));
        assertNull(cookies.seen("B", cookies.value("A", seen)));
        assertNull(new HandleCookie("another secret".getBytes(StandardCharsets.UTF_8)).seen("A", cookies.value("A", seen)));
      }
    }
  }

  @Test
  void noTwoAnswersHaveTheSameCookie() {
    VersionHandle handle = VersionHandle.ofGroup(3, 1_207);
    Set<String> values = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Seen known = Seen.with(handle);
      Seen more = Seen.atLeast(handle);
      assertFalse(known.isMore());
      assertTrue(more.isMore());
      assertTrue(values.add(cookies.value("A", known)) && values.add(cookies.value("A", more)));
    }
  }

  @Test
  void aValueInAnotherFormCountsAsNone() {
    String value = cookies.value("A", new Seen(VersionHandle.ofGroup(3, 1_207), 0xab));
    String tag = value.substring(value.lastIndexOf('.'));
    for (String other :
        List.of(
            "", "-", "-.", ".", tag, "3.1207" + tag, "3.1207-" + tag, "-ab" + tag, "03.1207-ab" + tag,
            "3.1207-AB" + tag, "3.1207-0ab" + tag, "3.1207-+ab" + tag, "x:3.1207-ab" + tag, "3.1208-ab" + tag, "3.1207-ac" + tag,
            "3.1207-ab" + tag + "A", " " + value,
            "9999999999999999999999.1-ab" + tag, "3.1207-ffffffffffffffffff" + tag, value.substring(0, value.length() - 1), value + "é")) {
      assertNull(cookies.seen("A", other), other);
    }
    assertNull(cookies.seen("A", value.replace('.', 'é')));
  }
}
