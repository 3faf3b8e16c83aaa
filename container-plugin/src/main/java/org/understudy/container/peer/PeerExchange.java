package org.understudy.container.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageFormat;
import org.understudy.replication.runtime.codec.MessageWriter;
import org.understudy.replication.runtime.peer.PeerChannel;
import org.understudy.replication.runtime.peer.PeerReceiver;

/**
 * Processes one POST of a peer and creates the response. A {@code Deliver} has its answers in the SOAP response. A
 * {@code Notify} has no SOAP response: acknowledgements are sent in a header of the HTTP response, which other producers
 * ignore. Those too long for a header are sent as a notification in the other direction.
 */
final class PeerExchange {
  /** The header of the response to a Notify, with peer messages in base64. */
  static final String ANSWERS = "Understudy-Answers";

  static final int MAX_BYTES = 64 << 20;
  private static final int MAX_HEADER_BYTES = 2_048;
  private static final Logger LOG = LoggerFactory.getLogger(PeerExchange.class);

  /**
   * An HTTP response.
   *
   * @param envelope its content, or null
   * @param answers the value of {@link #ANSWERS}, or null
   */
  record Answer(int status, PeerEnvelope envelope, String answers) {
    /** The response to a ping. */
    static final Answer NOTHING = new Answer(202, null, null);
    static final Answer UNREADABLE = new Answer(400, null, null);
  }

  private final Configuration configuration;
  private final PeerReceiver receiver;
  private final PeerChannel channel;
  private final EncodedMessageCache encoded = new EncodedMessageCache();

  PeerExchange(Configuration configuration, PeerReceiver receiver, PeerChannel channel) {
    this.configuration = configuration;
    this.receiver = receiver;
    this.channel = channel;
  }

  /** Passes the messages to the receiver and returns the response. */
  Answer handle(ReplicaId from, String contentType, byte[] body) {
    PeerEnvelopeReader.Content content;
    try {
      content = PeerEnvelopeReader.read(receiver.format(), contentType, body, body.length);
    } catch (IOException e) {
      LOG.warn("Replica {} sent an invalid peer message: {}", from, e.getMessage());
      return Answer.UNREADABLE;
    }
    List<Message> answers = new ArrayList<>(2);
    receiver.received(from, content.messages(), answers::addAll);
    if ("Deliver".equals(content.element())) {
      return new Answer(
          200,
          PeerEnvelope.deliver(
              "DeliverResponse", configuration.group(), configuration.self().number(), from.number(), answers, encoded),
          null);
    }
    return new Answer(202, null, answers.isEmpty() ? null : header(from, answers));
  }

  private String header(ReplicaId from, List<Message> answers) {
    MessageWriter writer = new MessageWriter(0);
    for (Message answer : answers) {
      writer.write(answer);
      if (writer.size() > MAX_HEADER_BYTES) {
        channel.send(from, answers);
        return null;
      }
    }
    return Base64.getEncoder().encodeToString(writer.toBytes());
  }

  /** Reads the messages of a header {@link #ANSWERS}. */
  static List<Message> answers(MessageFormat format, String header) throws IOException {
    try {
      byte[] bytes = Base64.getDecoder().decode(header.getBytes(StandardCharsets.ISO_8859_1));
      return format.readAll(bytes, 0, bytes.length);
    } catch (IllegalArgumentException e) {
      throw new IOException("The header " + ANSWERS + " is not base64.", e);
    }
  }
}
