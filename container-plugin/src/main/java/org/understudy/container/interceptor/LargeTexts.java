package org.understudy.container.interceptor;

import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;
import org.apache.cxf.interceptor.AbstractOutDatabindingInterceptor;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.understudy.container.response.BoundedContent;

/**
 * Keeps a large text of a result from ending the replica. Writing to a stream, JAXB holds up to nine bytes for a character
 * of a text before it writes the first one. A text that is longer than the response may be is not marshalled: the request fails as
 * TooLarge. Any other large text is written in pieces, by way of a writer of StAX.
 */
public final class LargeTexts extends AbstractPhaseInterceptor<Message> {
  /** From this number of characters on a text is large. */
  private static final int LARGE_CHARS = 1 << 18;

  private final Function<Object, BoundedContent> contents;

  /** @param contents returns what takes the response to a transport's request, or null */
  public LargeTexts(Function<Object, BoundedContent> contents) {
    super(Phase.SETUP);
    this.contents = contents;
  }

  @Override
  public void handleMessage(Message message) {
    int longest = Math.max(LongestText.of(message.getContent(List.class)), LongestText.of(message.getContent(Object.class)));
    if (longest < LARGE_CHARS) {
      return;
    }
    BoundedContent content = content(message);
    if (content == null || content.hasRoomFor(longest)) {
      message.put(AbstractOutDatabindingInterceptor.DISABLE_OUTPUTSTREAM_OPTIMIZATION, true);
    } else {
      content.skip(longest);
      message.getInterceptorChain().abort();
    }
  }

  private BoundedContent content(Message message) {
    if (message.getContent(OutputStream.class) instanceof BoundedContent marshalled) {
      return marshalled;
    }
    Message in = message.getExchange().getInMessage();
    return in == null ? null : contents.apply(in.get(AbstractHTTPDestination.HTTP_REQUEST));
  }
}
