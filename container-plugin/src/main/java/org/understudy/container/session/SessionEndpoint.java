package org.understudy.container.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.container.caller.Caller;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.request.GroupOperations;
import org.understudy.container.response.Answers;
import org.understudy.container.soap.EnvelopeReader;
import org.understudy.container.soap.ReplyWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.replication.soap.SessionResponse;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.EnvelopeCursor;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.HardenedXmlReader;

/** Implements OpenSession, RenewSession, CloseSession and AwaitView; see {@code docs/wire.md}. */
public final class SessionEndpoint implements GroupOperations, AutoCloseable {
  static final int MAX_BYTES = 16_384;
  private static final int MAX_EPOCH_GROWTH = 16;
  /** The maximum growth of a replica's entry: "primary" instead of "none", and all request classes instead of none. */
  private static final int MAX_ROLE_GROWTH =
      8 + Stream.of(RequestClass.values()).mapToInt(one -> one.wireName().length() + 1).sum();
  private static final String ACTION = ReplicationNames.NAMESPACE + "/";
  private static final String FAULT_ACTION = ACTION + "Fault";

  private final Configuration configuration;
  private final Replica replica;
  private final Answers defaults;
  private final byte[] sessionSecret;
  private final LongPolls polls;
  private volatile long published;
  /** Whether no AwaitView request is to wait. */
  private volatile boolean ending;

  /**
   * @param defaults writes the responses at the address that belongs to no service
   * @param places limits the AwaitView requests that wait
   */
  public SessionEndpoint(Configuration configuration, Replica replica, Answers defaults, LocalShares places) {
    this.configuration = configuration;
    this.replica = replica;
    this.defaults = defaults;
    this.polls = new LongPolls(places);
    // Without a shared secret there is one replica, and a random key from its start suffices.
    byte[] secret = configuration.secret();
    if (secret.length == 0) {
      secret = new byte[32];
      new java.security.SecureRandom().nextBytes(secret);
    }
    this.sessionSecret = secret;
    replica.listen(this::viewChanged);
  }

  /** Returns the places for AwaitView requests that wait, which the groups of a web application share. */
  public static LocalShares places(Configuration configuration) {
    return new LocalShares("waiting AwaitView requests take %d places", configuration.heldPolls(ConnectionFootprint.bytes()));
  }

  /** Returns the number of places that waiting AwaitView requests take. */
  public int heldPolls() {
    return polls.count();
  }

  /** Returns the same operations for the address of a service. Their views contain that address. */
  public GroupOperations at(Answers answers) {
    return new GroupOperations() {
      @Override
      public boolean isMeant(HttpServletRequest request) {
        return SessionEndpoint.this.isMeant(request);
      }

      @Override
      public void answer(HttpServletRequest request, HttpServletResponse response, byte[] body) throws IOException {
        SessionEndpoint.this.answer(request, response, body, answers);
      }
    };
  }

  @Override
  public boolean isMeant(HttpServletRequest request) {
    String action = request.getHeader("SOAPAction");
    if (action != null && action.contains(ACTION)) {
      return true;
    }
    String contentType = request.getContentType();
    return contentType != null && contentType.startsWith("application/soap") && contentType.contains(ACTION);
  }

  @Override
  public void answer(HttpServletRequest request, HttpServletResponse response, byte[] body) throws IOException {
    answer(request, response, body, defaults);
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, byte[] body, Answers answers)
      throws IOException {
    SoapVersion version = SoapVersion.ofContentType(request.getContentType());
    MessageProperties properties = MessageProperties.UNUSED;
    try {
      if (body.length > MAX_BYTES) {
        throw new BadEnvelopeException(
            SoapVersion.ofContentType(request.getContentType()),
            "The request is larger than " + MAX_BYTES + " bytes, the limit of this operation.");
      }
      RequestEnvelope envelope = EnvelopeReader.read(body, body.length, request.getContentType());
      version = envelope.version();
      properties = envelope.properties();
      envelope.requireUnderstood();
      envelope.requireAnswerable(false);
      QName operation = envelope.operation();
      if (operation == null || !operation.getNamespaceURI().equals(ReplicationNames.NAMESPACE)) {
        throw new BadEnvelopeException(
            version, SoapFault.sender("The operation " + operation + " is unknown at this address."), properties);
      }
      Map<String, String> fields = fields(body, version);
      switch (operation.getLocalPart()) {
        case "OpenSession" -> open(request, response, envelope, fields, answers);
        case "RenewSession", "CloseSession" -> session(request, response, envelope, operation.getLocalPart(), fields, answers);
        case "AwaitView" -> awaitView(request, response, envelope, fields, answers);
        default -> throw new BadEnvelopeException(
            version, SoapFault.sender("The operation " + operation + " is unknown."), properties);
      }
    } catch (BadEnvelopeException e) {
      answers.refuse(response, e, FAULT_ACTION);
    } catch (NumberFormatException e) {
      refuse(
          response, version, FailureCode.BadRequest,
          "A field is invalid: a number is not written in digits, or has too many.", properties, answers);
    } catch (IllegalArgumentException e) {
      refuse(response, version, FailureCode.BadRequest, "A field is invalid: " + e.getMessage(), properties, answers);
    }
  }

  private static void refuse(
      HttpServletResponse response,
      SoapVersion version,
      FailureCode code,
      String why,
      MessageProperties properties,
      Answers answers)
      throws IOException {
    Failure failure = new Failure(code, why);
    byte[] bytes = answers.fault(version, failure, FAULT_ACTION, properties);
    send(response, code, answers.status(version, failure), version, bytes, properties);
  }

  /** A response to the endpoint {@code none} is the status alone (WS-Addressing 1.0 Core, section 2.1). */
  private static void send(
      HttpServletResponse response,
      FailureCode refused,
      int status,
      SoapVersion version,
      byte[] bytes,
      MessageProperties properties)
      throws IOException {
    boolean good = status < 300;
    if ((good ? properties.replyTo() : properties.faultTo()) == MessageProperties.Target.NONE) {
      Answers.sendStatus(response, refused, good ? 202 : status);
    } else {
      Answers.send(response, refused, status, version, bytes);
    }
  }

  private static Map<String, String> fields(byte[] body, SoapVersion version) throws BadEnvelopeException {
    Map<String, String> fields = new HashMap<>();
    try {
      XMLStreamReader2 in = HardenedXmlReader.openBounded(body, body.length);
      EnvelopeCursor envelope = new EnvelopeCursor(in);
      envelope.open();
      while (envelope.nextBlock()) {
        // The header blocks have been read already.
      }
      in.nextTag();
      while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        fields.put(in.getLocalName(), in.getElementText().strip());
      }
      envelope.end();
      return fields;
    } catch (XMLStreamException e) {
      throw new BadEnvelopeException(version, "The request is invalid: " + HardenedXmlReader.reason(e));
    }
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing.");
    }
    return value;
  }

  // ------------------------------------------------------------------------------------------------ sessions

  private void open(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestEnvelope envelope,
      Map<String, String> fields,
      Answers answers) {
    SessionId nonce = SessionId.parse(field(fields, "Nonce"));
    Caller caller = Caller.of(request);
    RequestKey key = keyOf(nonce, caller.principal());
    submit(request, response, envelope, Request.Kind.OPEN_SESSION, key, caller, answers, reply -> {
      SessionId id = SessionId.ofBytes(reply.response().body());
      Assignment known = replica.routing().assignment();
      return SessionResponse.opened(id, configuration.sessionLease().toSeconds(), reply.handle(), answers.view(known));
    });
  }

  private void session(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestEnvelope envelope,
      String operation,
      Map<String, String> fields,
      Answers answers) {
    SessionId id = SessionId.parse(field(fields, "Session"));
    boolean renew = operation.equals("RenewSession");
    Request.Kind kind = renew ? Request.Kind.RENEW_SESSION : Request.Kind.CLOSE_SESSION;
    String content = renew ? SessionResponse.renewed(configuration.sessionLease().toSeconds()) : SessionResponse.closed();
    submit(request, response, envelope, kind, new RequestKey.OfSession(id, 0), Caller.of(request), answers, reply -> content);
  }

  /** Returns the key of a nonce and its caller: the same at every replica, and not guessable by other clients. */
  private RequestKey keyOf(SessionId nonce, String principal) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(sessionSecret, "HmacSHA256"));
      mac.update(("session|" + nonce + "|" + principal).getBytes(StandardCharsets.UTF_8));
      java.nio.ByteBuffer proof = java.nio.ByteBuffer.wrap(mac.doFinal());
      return new RequestKey.OfNonce(proof.getLong(), proof.getLong());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  private void submit(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestEnvelope envelope,
      Request.Kind kind,
      RequestKey key,
      Caller caller,
      Answers answers,
      java.util.function.Function<Reply, String> content) {
    SoapVersion version = envelope.version();
    MessageProperties properties = envelope.properties();
    String action = ACTION + envelope.operation().getLocalPart() + "Response";
    SessionAnswer answer = new SessionAnswer(request, response);
    answer.watch();
    Request submitted =
        new Request(
            key, 0, kind, null, VersionHandle.INITIAL, 0, caller.principal(), caller.owner());
    replica.submit(
        submitted,
        new Call() {
          @Override
          public void execute(long token, Request.Kind granted) {
            replica.abandoned(token);
          }

          @Override
          public void reply(Reply reply) {
            write(null, 200, ReplyWriter.message(version, content.apply(reply), action, properties));
          }

          @Override
          public void fail(Failure failure) {
            write(
                failure.code(), answers.status(version, failure),
                answers.fault(version, failure, FAULT_ACTION, properties));
          }

          private void write(FailureCode refused, int status, byte[] bytes) {
            answer.send(to -> SessionEndpoint.send(to, refused, status, version, bytes, properties));
          }
        });
  }

  // ------------------------------------------------------------------------------------------------ views

  private void awaitView(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestEnvelope envelope,
      Map<String, String> fields,
      Answers answers)
      throws IOException {
    SoapVersion version = envelope.version();
    MessageProperties properties = envelope.properties();
    long seen = Long.parseLong(field(fields, "Epoch"));
    if (seen < 0 || seen > VersionHandle.MAX) {
      throw new IllegalArgumentException("Epoch must be from 0 to 2^48.");
    }
    int hold = Integer.parseInt(field(fields, "HoldSeconds"));
    if (hold < 0 || hold > 60) {
      throw new IllegalArgumentException("HoldSeconds must be from 0 to 60.");
    }
    if (ending || published > seen || hold == 0 || properties.replyTo() == MessageProperties.Target.NONE) {
      send(response, null, 200, version, viewMessage(version, properties, answers), properties);
      return;
    }
    Supplier<byte[]> overdue = () -> viewMessage(version, properties, answers);
    // The lengths of roles and epochs vary from view to view by less than this.
    int length = overdue.get().length + MAX_EPOCH_GROWTH + MAX_ROLE_GROWTH * configuration.replicas().size();
    // The bytes for all other polls contain the addresses of another service.
    boolean own = properties.used() || answers != defaults;
    String full = polls.hold(request, response, version, seen, hold, overdue, own, length);
    if (full != null) {
      refuse(response, version, FailureCode.Overloaded, full, properties, answers);
    }
  }

  private byte[] viewMessage(SoapVersion version) {
    return viewMessage(version, MessageProperties.UNUSED, defaults);
  }

  private byte[] viewMessage(SoapVersion version, MessageProperties properties, Answers answers) {
    Assignment known = replica.routing().assignment();
    return ReplyWriter.message(
        version,
        SessionResponse.awaited(answers.view(known)),
        ACTION + "AwaitViewResponse",
        properties);
  }

  /**
   * Ends the AwaitView requests that wait, or lets them wait again.
   *
   * @param hold false to answer those that wait now and later ones at once, so that none delays the end of a server
   */
  public void holdPolls(boolean hold) {
    ending = !hold;
    if (hold) {
      polls.resume(published);
      return;
    }
    for (SoapVersion version : SoapVersion.values()) {
      polls.answerAll(version, Long.MAX_VALUE, viewMessage(version));
    }
  }

  /** Sends a response to every waiting request, so that the web application can stop. */
  @Override
  public void close() {
    holdPolls(false);
    polls.close();
  }

  private void viewChanged(Assignment assignment) {
    if (assignment.epoch() > published) {
      published = assignment.epoch();
      for (SoapVersion version : SoapVersion.values()) {
        polls.answerAll(version, published, viewMessage(version));
      }
    }
  }
}
