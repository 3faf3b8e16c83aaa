package org.understudy.wsat.coordinator;

import com.arjuna.webservices.SoapFaultType;
import com.arjuna.webservices11.wsarj.ArjunaContext;
import com.arjuna.webservices11.wscoor.CoordinationConstants;
import com.arjuna.webservices11.wscoor.processors.RegistrationCoordinatorProcessor;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPFactory;
import jakarta.xml.soap.SOAPFault;
import jakarta.xml.ws.ProtocolException;
import jakarta.xml.ws.soap.SOAPFaultException;
import javax.xml.namespace.QName;
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.RegisterResponseType;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.RegisterType;
import org.understudy.wsat.addressing.InstanceIds;

/** Registers those who name a transaction by its unguessable id, up to limits of number and size. Thread-safe. */
final class GuardedRegistration extends RegistrationCoordinatorProcessor {
  private final RegistrationCoordinatorProcessor narayana;
  private final Activities activities;

  GuardedRegistration(RegistrationCoordinatorProcessor narayana, Activities activities) {
    this.narayana = narayana;
    this.activities = activities;
  }

  @Override
  public RegisterResponseType register(RegisterType register, MAP map, ArjunaContext context, boolean secure) {
    InstanceIds.Verified transaction = activities.ids().verify(context);
    if (transaction == null) {
      throw refused(
          CoordinationConstants.WSCOOR_ERROR_CODE_CANNOT_REGISTER_QNAME,
          "The message names no transaction of this coordinator by its InstanceIdentifier. Send the reference parameters of the context.");
    }
    RegisteredReference participant = new RegisteredReference(register.getParticipantProtocolService());
    if (participant.isTooLong()) {
      throw refused(
          CoordinationConstants.WSCOOR_ERROR_CODE_INVALID_PARAMETERS_QNAME,
          "The endpoint reference of the participant is longer than " + RegisteredReference.MAX_CHARS
              + " characters. Register a shorter one.");
    }
    String full = activities.register(transaction.id(), participant.heldBytes());
    if (full != null) {
      throw refused(CoordinationConstants.WSCOOR_ERROR_CODE_CANNOT_REGISTER_QNAME, full);
    }
    RegisterResponseType response = narayana.register(register, map, context, secure);
    response.setCoordinatorProtocolService(activities.ids().signedOf(transaction.id(), response.getCoordinatorProtocolService()));
    return response;
  }

  private static RuntimeException refused(QName code, String sentence) {
    try {
      SOAPFault fault = SOAPFactory.newInstance().createFault(SoapFaultType.FAULT_SENDER.getValue(), code);
      fault.addDetail().addDetailEntry(code).addTextNode(sentence);
      return new SOAPFaultException(fault);
    } catch (SOAPException e) {
      return new ProtocolException(sentence, e);
    }
  }
}
