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
import org.jboss.ws.api.addressing.MAP;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.RegisterResponseType;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.RegisterType;
import org.understudy.wsat.addressing.InstanceIds;

/** Registers those who name a transaction by its unguessable id, up to a limit. Thread-safe. */
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
          "The message names no transaction of this coordinator by its InstanceIdentifier. Send the reference parameters of the context.");
    }
    if (!activities.mayRegister(transaction.id())) {
      throw refused(
          "The transaction has " + Activities.MAX_REGISTERED + " registrations, the maximum of this coordinator. Begin another.");
    }
    RegisterResponseType response = narayana.register(register, map, context, secure);
    response.setCoordinatorProtocolService(activities.ids().signedOf(transaction.id(), response.getCoordinatorProtocolService()));
    return response;
  }

  private static RuntimeException refused(String sentence) {
    try {
      SOAPFault fault =
          SOAPFactory.newInstance().createFault(
              SoapFaultType.FAULT_SENDER.getValue(), CoordinationConstants.WSCOOR_ERROR_CODE_CANNOT_REGISTER_QNAME);
      fault.addDetail().addDetailEntry(CoordinationConstants.WSCOOR_ERROR_CODE_CANNOT_REGISTER_QNAME).addTextNode(sentence);
      return new SOAPFaultException(fault);
    } catch (SOAPException e) {
      return new ProtocolException(sentence, e);
    }
  }
}
