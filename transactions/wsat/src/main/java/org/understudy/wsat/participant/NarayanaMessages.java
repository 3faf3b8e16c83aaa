package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices.SoapFaultType;
import com.arjuna.webservices11.SoapFault11;
import com.arjuna.webservices11.wsaddr.AddressingHelper;
import com.arjuna.webservices11.wsarj.InstanceIdentifier;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wsat.client.CoordinatorClient;
import com.arjuna.webservices11.wsat.client.WSATClient;
import com.arjuna.wsc11.messaging.MessageId;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import java.io.IOException;
import java.io.StringReader;
import java.util.function.IntFunction;
import javax.xml.transform.stream.StreamSource;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wsat._2006._06.Notification;
import org.oasis_open.docs.ws_tx.wsat._2006._06.ParticipantPortType;

/** Sends by Narayana's clients. Thread-safe. */
final class NarayanaMessages implements ParticipantMessages {
  private final IntFunction<String> endpoints;

  /** @param endpoints the address of each replica's ParticipantService */
  NarayanaMessages(IntFunction<String> endpoints) {
    this.endpoints = endpoints;
  }

  @Override
  public void prepared(Registration.Member member) throws IOException, SoapFault {
    CoordinatorClient.getClient().sendPrepared(coordinator(member), message(), new InstanceIdentifier(member.id()));
  }

  @Override
  public void readOnly(Registration.Member member) throws IOException, SoapFault {
    CoordinatorClient.getClient().sendReadOnly(coordinator(member), message(), new InstanceIdentifier(member.id()));
  }

  @Override
  public void aborted(Registration.Member member) throws IOException, SoapFault {
    CoordinatorClient.getClient().sendAborted(coordinator(member), message(), new InstanceIdentifier(member.id()));
  }

  @Override
  public void committed(Registration.Member member) throws IOException, SoapFault {
    CoordinatorClient.getClient().sendCommitted(coordinator(member), message(), new InstanceIdentifier(member.id()));
  }

  @Override
  public void contradicted(Registration.Member member) throws IOException, SoapFault {
    SoapFault fault =
        new SoapFault11(
            SoapFaultType.FAULT_SENDER, AtomicTransactionConstants.WSAT_ERROR_CODE_INCONSISTENT_INTERNAL_STATE_QNAME,
            "An operator has decided the part of this participant otherwise than its coordinator.");
    CoordinatorClient.getClient().sendSoapFault(coordinator(member), message(), fault, new InstanceIdentifier(member.id()));
  }

  @Override
  public void forward(int replica, String participant, boolean commit) {
    MAP message = message();
    AddressingHelper.installNoneReplyTo(message);
    String action = commit ? AtomicTransactionConstants.WSAT_ACTION_COMMIT : AtomicTransactionConstants.WSAT_ACTION_ROLLBACK;
    ParticipantPortType port =
        WSATClient.getParticipantPort(Registrations.reference(endpoints.apply(replica), participant), action, message);
    if (commit) {
      port.commitOperation(new Notification());
    } else {
      port.rollbackOperation(new Notification());
    }
  }

  private static MAP message() {
    return AddressingHelper.createNotificationContext(MessageId.getMessageId());
  }

  private static W3CEndpointReference coordinator(Registration.Member member) {
    return new W3CEndpointReference(new StreamSource(new StringReader(member.coordinator())));
  }
}
