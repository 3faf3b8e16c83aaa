package org.understudy.container.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.forwarding.http.Forwarding;
import org.understudy.container.response.Answers;
import org.understudy.container.response.ReplyMessage;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.mime.Multipart;

/** An exchange that is replicated before CXF: it sends the stored Body with new headers for each attempt. */
final class FilterExchange extends Exchange {
  /** A longer response is sent without the buffer in which a thread of the replica leaves it, and which the container keeps. */
  static final int MAX_BYTES_BY_REPLICA = 16 << 10;

  FilterExchange(IncomingRequest incoming, Replica replica, ConcurrencyLimiter limiter, Forwarding forwarding) {
    super(incoming, replica, limiter, forwarding);
  }

  @Override
  void proceed(FilterChain chain) {
    run(chain);
  }

  @Override
  boolean isSentByContainer(Object result) {
    return result instanceof Reply reply && reply.response().body().length > MAX_BYTES_BY_REPLICA;
  }

  @Override
  void send(Reply reply, HttpServletResponse to) throws IOException {
    ReplyMessage answer = ReplyMessage.of(reply, envelope, operation);
    if (!answer.hasEnvelope(content())) {
      answer.sendStatus(to, answers);
      return;
    }
    Multipart parts = answer.attachments();
    if (parts == null) {
      Answers.result(to, answer.status(answers), envelope.version().contentType(), answer.envelope());
    } else {
      Multipart.Written written = parts.write(answer.envelope(), envelope.version());
      Answers.result(to, answer.status(answers), written.contentType(), written.bytes());
    }
  }
}
