package org.understudy.wsat.participant;

import com.arjuna.mw.wst11.common.CoordinationContextHelper;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wscoor.CoordinationConstants;
import jakarta.xml.bind.JAXBException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.ws.addressing.Names;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContextType;
import org.understudy.container.transaction.CoordinationProvider;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.soap.xml.HardenedXmlReader;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Lets calls take part in transactions of coordinators of WS-AtomicTransaction 1.1 and 1.2. Refuses such calls while it is off. */
public final class AtomicTransactionCoordination implements CoordinationProvider {
  private static final Set<QName> HEADERS =
      Set.of(new QName(CoordinationConstants.WSCOOR_NAMESPACE, CoordinationConstants.WSCOOR_ELEMENT_COORDINATION_CONTEXT));

  @Override
  public Set<QName> headers() {
    return HEADERS;
  }

  @Override
  public TransactionContext contextOf(Element header) {
    Registrations registrations = Registrations.current();
    if (registrations == null) {
      throw new IllegalArgumentException("This server takes no part in WS-AtomicTransaction (understudy.wsat).");
    }
    String type = text(header, CoordinationConstants.WSCOOR_NAMESPACE, "CoordinationType");
    if (!AtomicTransactionConstants.WSAT_PROTOCOL.equals(type)) {
      throw new IllegalArgumentException(
          "The coordination type is " + type + ", and this server supports only " + AtomicTransactionConstants.WSAT_PROTOCOL + ".");
    }
    NodeList addresses = header.getElementsByTagNameNS(Names.WSA_NAMESPACE_NAME, Names.WSA_ADDRESS_NAME);
    for (int i = 0; i < addresses.getLength(); i++) {
      String address = addresses.item(i).getTextContent().strip();
      if (!registrations.mayCall(address)) {
        throw new IllegalArgumentException(
            "The coordinator's address is " + address + ", and this server may not call that host (understudy.wsat.hosts).");
      }
    }
    if (addresses.getLength() == 0) {
      throw new IllegalArgumentException("The CoordinationContext names no RegistrationService.");
    }
    String id = text(header, CoordinationConstants.WSCOOR_NAMESPACE, "Identifier");
    return new TransactionContext(id == null ? "" : id, StaxUtils.toString(header).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte[] register(TransactionContext context, List<Integer> replicas) throws IOException {
    Registrations registrations = Registrations.current();
    if (registrations == null) {
      throw new IOException("This server takes no part in WS-AtomicTransaction now: it starts or ends. Retry later.");
    }
    return registrations.register(context.id(), read(context.context()), replicas).encoded();
  }

  @Override
  public void registered(String transaction, byte[] registration) {
    GroupPart.INSTANCE.registered(transaction, registration);
  }

  @Override
  public void ended(String transaction) {
    GroupPart.INSTANCE.ended(transaction);
  }

  @Override
  public void started(TransactionParticipant participant) {
    GroupPart.INSTANCE.started(participant);
  }

  private static CoordinationContextType read(byte[] context) throws IOException {
    try {
      Element header = StaxUtils.read(HardenedXmlReader.openBounded(context, context.length)).getDocumentElement();
      CoordinationContextType read = CoordinationContextHelper.deserialise(header);
      if (read == null || read.getRegistrationService() == null) {
        throw new IOException("The CoordinationContext is invalid, or names no RegistrationService.");
      }
      return read;
    } catch (XMLStreamException | JAXBException e) {
      throw new IOException("The CoordinationContext is invalid: " + e.getMessage() + ".", e);
    }
  }

  private static String text(Element parent, String namespace, String name) {
    NodeList found = parent.getElementsByTagNameNS(namespace, name);
    return found.getLength() == 0 ? null : found.item(0).getTextContent().strip();
  }
}
