package org.understudy.wsrf.notification;

import java.time.Instant;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.operation.Operation;
import org.understudy.replication.api.ReadLevel;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.RequestReader;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.operation.NotNowException;
import org.understudy.wsrf.operation.StandardOperation;

/** An operation of WS-Notification 1.3 as the plugin executes it. */
public final class NotificationOperation implements StandardOperation {
  private static final byte[] NOTHING = {};

  /** Executes the operation. */
  @FunctionalInterface
  public interface Body {
    /** @param request positioned on the element in its body */
    byte[] execute(Invocation invocation, RequestReader request)
        throws NotificationFault, SoapFault, XMLStreamException, DeclaredFault;
  }

  private final Operation operation;
  private final HardenedXmlReader intake;
  private final Body body;

  /** @param messageChars the maximum characters of text in a request */
  public NotificationOperation(Operation operation, int messageChars, Body body) {
    this.operation = operation;
    this.body = body;
    this.intake =
        new HardenedXmlReader(operation == Operation.NOTIFY ? XmlLimits.ofMessages(messageChars) : XmlLimits.ofRequests());
  }

  @Override
  public QName element() {
    return operation.body();
  }

  @Override
  public String answer() {
    return operation.responseAction().orElse(null);
  }

  @Override
  public ReadLevel read() {
    return operation.read() ? ReadLevel.LINEARIZABLE : null;
  }

  @Override
  public byte[] execute(Invocation invocation) throws DeclaredFault {
    try {
      byte[] envelope = invocation.envelope();
      RequestReader request =
          RequestReader.withScope(intake.open(envelope, 0, envelope.length, "UTF-8"), invocation.version(), Set.of());
      request.readCheckedToOperation();
      byte[] answer = body.execute(invocation, request);
      return answer == null ? NOTHING : answer;
    } catch (NotificationFault fault) {
      throw fault.declared(invocation.now());
    } catch (SoapFault fault) {
      if (fault.code() == SoapFault.Code.RECEIVER) {
        // Not stored: a stored answer would be replayed to every retry.
        throw new NotNowException(fault.getMessage());
      }
      throw DeclaredFault.badMessage(fault.getMessage());
    } catch (BadEnvelopeException e) {
      throw DeclaredFault.badMessage(e.getMessage());
    } catch (XMLStreamException e) {
      throw DeclaredFault.badMessage("The request is invalid: " + HardenedXmlReader.reason(e));
    }
  }

  @Override
  public DeclaredFault unavailable(String sentence, Instant now) {
    return operation.unavailable().map(type -> NotificationFault.of(type, sentence).declared(now)).orElse(null);
  }
}
