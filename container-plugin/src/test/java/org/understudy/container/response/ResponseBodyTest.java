package org.understudy.container.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseBodyTest {
  private static final byte[] CONTENT = "<r/>".getBytes(StandardCharsets.UTF_8);

  @Test
  void headersAreLeftOutWhileAMemberCannotReadThem() {
    ResponseBody headed = new ResponseBody("<h/>", CONTENT);
    assertSame(headed, headed.readable(() -> 2));
    assertEquals("", headed.readable(() -> 1).headers());
    assertSame(CONTENT, headed.readable(() -> 1).content());
  }

  @Test
  void aResponseWithoutHeadersNeedsNoVersion() {
    ResponseBody plain = new ResponseBody("", CONTENT);
    assertSame(plain, plain.readable(() -> {
      throw new AssertionError("The version was read.");
    }));
  }
}
