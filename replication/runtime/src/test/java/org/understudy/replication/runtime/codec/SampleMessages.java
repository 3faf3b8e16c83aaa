package org.understudy.replication.runtime.codec;

import java.util.List;
import org.understudy.replication.core.Message;

/** The messages of {@link MessageCodecTest}, for tests of other packages. */
public final class SampleMessages {
  private SampleMessages() {}

  public static List<Message> everyKind() {
    return MessageCodecTest.everyKind();
  }
}
