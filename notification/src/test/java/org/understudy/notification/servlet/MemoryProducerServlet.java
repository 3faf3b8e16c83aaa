package org.understudy.notification.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.notification.operation.Operation;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.MessageProperties.Target;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;

/**
 * Serves a {@link MemoryProducer}: NotificationProducer at the servlet's own path, PausableSubscriptionManager at
 * {@code /subscriptions/<id>} below it (WS-BaseNotification 1.3, sections 4 and 6), SOAP 1.1 and 1.2. What is asked for is
 * told by the element in the body; SOAPAction and {@code wsa:Action} are ignored. A subscription is told by the path, by the
 * reference parameter {@link SubscriptionParameter}, or by both when they agree.
 *
 * <p>Map the servlet with {@code /path/*}. It does not close the producer. Stateless and thread-safe; a request blocks only
 * on reading its body.
 */
final class MemoryProducerServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(MemoryProducerServlet.class);
  /** With what a container of producers reads itself, before the request comes here. */
  private static final Set<QName> KNOWN =
      Set.of(
          SubscriptionParameter.NAME, new QName("urn:understudy:replication:1", "ReplicationHeader"),
          new QName("urn:understudy:replication:1", "ResourceId"));
  private static final int MAX_REQUEST_BYTES = 64 << 10;
  private static final String MANAGERS = "/subscriptions/";
  private static final Set<Operation> SUBSCRIPTION_MANAGER =
      EnumSet.of(
          Operation.RENEW, Operation.UNSUBSCRIBE, Operation.PAUSE_SUBSCRIPTION, Operation.RESUME_SUBSCRIPTION);

  private final transient MemoryProducer producer;
  private final transient HardenedXmlReader intake = new HardenedXmlReader(XmlLimits.ofRequests());

  /** A servlet for this producer. */
  MemoryProducerServlet(MemoryProducer producer) {
    this.producer = producer;
  }

  private static final byte[] NOTHING = {};
  private static final MessageProperties ADDRESSED =
      new MessageProperties(true, null, Target.ANONYMOUS, Target.ANONYMOUS, null);

  private record Answer(int status, SoapVersion version, byte[] body) {}

  /** Carries out a SOAP request. */
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!isXml(request.getContentType())) {
      response.sendError(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
      return;
    }
    byte[] body = body(request);
    SoapVersion version = SoapVersion.ofContentType(request.getContentType());
    Answer answer;
    if (body == null) {
      SoapFault fault =
          SoapFault.of(
              SoapFault.Code.SENDER, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
              "The request is longer than " + MAX_REQUEST_BYTES + " bytes.");
      answer = fault(version, MessageProperties.UNUSED, fault);
    } else {
      answer = answer(request, version, body);
    }
    response.setStatus(answer.status());
    response.setContentLength(answer.body().length);
    if (answer.body().length > 0) {
      response.setContentType(answer.version().mediaType() + ";charset=UTF-8");
      response.getOutputStream().write(answer.body());
    }
  }

  private Answer answer(HttpServletRequest request, SoapVersion announced, byte[] body) {
    RequestReader envelope = null;
    String[] subscription = new String[1];
    try {
      XMLStreamReader2 in = intake.open(body, 0, body.length, request.getCharacterEncoding());
      envelope = RequestReader.withScope(in, announced, KNOWN);
      envelope.readHeader(block -> {
        if (SubscriptionParameter.NAME.equals(block.getName())) {
          subscription[0] = block.getElementText().strip();
        }
      });
      if (!envelope.notUnderstood().isEmpty()) {
        throw SoapFault.notUnderstood(envelope.notUnderstood());
      }
      if (envelope.readOperation() == null) {
        throw SoapFault.sender("The Body is empty.");
      }
      envelope.properties().check(false);
      return carryOut(request.getPathInfo(), subscription[0], envelope);
    } catch (BadEnvelopeException e) {
      return fault(e.version(), e.properties(), e.fault());
    } catch (SoapFault fault) {
      return fault(envelope.version(), envelope.properties(), fault);
    } catch (NotificationFault fault) {
      DeclaredFault declared = fault.declared(now());
      SoapVersion version = envelope.version();
      int status = version.httpStatus(declared.sender() ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER, 400);
      byte[] message =
          new EnvelopeWriter(version)
              .faultAddressing(declared.family().action(), addressed(envelope.properties()), null)
              .body(EnvelopeWriter.faultBody(version, declared));
      return fault(version, envelope.properties(), status, message);
    } catch (XMLStreamException e) {
      return fault(announced, envelope, SoapFault.sender("The request is no XML as expected: " + HardenedXmlReader.reason(e)));
    } catch (RuntimeException e) {
      LOG.error("A request could not be carried out.", e);
      return fault(announced, envelope, SoapFault.of(SoapFault.Code.RECEIVER, 0, "Internal error."));
    }
  }

  private Answer carryOut(String path, String subscription, RequestReader envelope)
      throws SoapFault, NotificationFault, XMLStreamException {
    Operation operation = Operation.of(envelope.operation()).orElseThrow(() -> unknown(envelope));
    String id = null;
    if (operation == Operation.SUBSCRIBE || operation == Operation.GET_CURRENT_MESSAGE) {
      requireProducer(path);
    } else if (SUBSCRIPTION_MANAGER.contains(operation)) {
      id = subscriptionId(path, subscription);
    }
    byte[] content = producer.answer(operation, id, envelope).orElseThrow(() -> unknown(envelope));
    SoapVersion version = envelope.version();
    return envelope.properties().replyTo() == Target.NONE
        ? new Answer(HttpServletResponse.SC_ACCEPTED, version, NOTHING)
        : new Answer(
            HttpServletResponse.SC_OK, version,
            new EnvelopeWriter(version)
                .addressing(operation.responseAction().orElseThrow(), addressed(envelope.properties()), null)
                .body(content));
  }

  /** Answers have an Action, whether the request has one or not. */
  private static MessageProperties addressed(MessageProperties request) {
    return request.used() ? request : ADDRESSED;
  }

  private static SoapFault unknown(RequestReader envelope) {
    return SoapFault.sender("No such operation: " + envelope.operation() + ".");
  }

  private static void requireProducer(String path) throws SoapFault {
    if (path != null && !path.equals("/")) {
      throw SoapFault.sender("This operation is the producer's, not a subscription manager's.");
    }
  }

  private static String subscriptionId(String path, String inHeader) throws NotificationFault {
    String inPath = path != null && path.startsWith(MANAGERS) ? path.substring(MANAGERS.length()) : null;
    if (inPath == null && inHeader == null) {
      throw NotificationFault.of(
          NotificationFaultType.RESOURCE_UNKNOWN, "Neither the address nor a reference parameter names a subscription.");
    }
    if (inPath != null && inHeader != null && !inPath.equals(inHeader)) {
      throw NotificationFault.of(
          NotificationFaultType.RESOURCE_UNKNOWN, "The address and the reference parameter name different subscriptions.");
    }
    return inPath == null ? inHeader : inPath;
  }

  private static Answer fault(SoapVersion announced, RequestReader envelope, SoapFault fault) {
    return envelope == null
        ? fault(announced, MessageProperties.UNUSED, fault)
        : fault(envelope.version(), envelope.properties(), fault);
  }

  private static Answer fault(SoapVersion version, MessageProperties request, SoapFault fault) {
    String content =
        EnvelopeWriter.faultBody(version, fault.code(), fault.subcodes(), fault.getMessage(), fault.detail(version));
    byte[] body =
        new EnvelopeWriter(version)
            .faultAddressing(fault.action(), addressed(request), null)
            .blocks(fault.headerBlocks(version))
            .body(content);
    return fault(version, request, fault.httpStatus(version, 400), body);
  }

  /** Without an envelope when the client wants no faults: the status alone is no message. */
  private static Answer fault(SoapVersion version, MessageProperties request, int status, byte[] body) {
    return new Answer(status, version, request.faultTo() == Target.NONE ? NOTHING : body);
  }

  /** The body; null when it is too long. */
  private byte[] body(HttpServletRequest request) throws IOException {
    int most = MAX_REQUEST_BYTES;
    if (request.getContentLengthLong() > most) {
      return null;
    }
    byte[] body = request.getInputStream().readNBytes(most + 1);
    return body.length > most ? null : body;
  }

  private static boolean isXml(String contentType) {
    if (contentType == null) {
      return false;
    }
    String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return type.equals("text/xml") || type.equals("application/soap+xml") || type.equals("application/xml");
  }

  private Instant now() {
    return producer.now();
  }
}
