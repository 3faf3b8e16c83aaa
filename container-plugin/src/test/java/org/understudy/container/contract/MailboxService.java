package org.understudy.container.contract;

import jakarta.jws.Oneway;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.bind.annotation.XmlElement;
import jakarta.xml.bind.annotation.XmlRootElement;
import jakarta.xml.bind.annotation.XmlType;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPFactory;
import jakarta.xml.ws.Holder;
import jakarta.xml.ws.WebFault;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.replication.api.ReplicatedState;

/** Contract-first; its messages have parts in the Header, and some that the Body leaves out. */
@WebService(
    name = "Mailbox", serviceName = "MailboxService", portName = "Mailbox", targetNamespace = "urn:mail",
    wsdlLocation = "classpath:contract/mailbox.wsdl")
@SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
public class MailboxService {
  private static final String MESSAGES = "urn:mail:messages";
  private static final String TYPES = "urn:mail:types";

  @ReplicatedState private int count;

  /** The folder decides between results, faults and exceptions. */
  @WebMethod(action = "urn:mail:action:find")
  public void findItem(
      @WebParam(partName = "request", name = "FindItem", targetNamespace = MESSAGES) Find request,
      @WebParam(partName = "Impersonation", name = "Impersonation", targetNamespace = TYPES, header = true) String impersonation,
      @WebParam(partName = "RequestVersion", name = "RequestVersion", targetNamespace = TYPES, header = true) String version,
      @WebParam(partName = "FindItemResult", name = "FindItemResponse", targetNamespace = MESSAGES, mode = WebParam.Mode.OUT)
          Holder<Found> found,
      @WebParam(partName = "ServerVersion", name = "ServerVersion", targetNamespace = TYPES, header = true, mode = WebParam.Mode.OUT)
          Holder<String> server)
      throws NotFoundException, FullException {
    count++;
    switch (String.valueOf(request.folder)) {
      case "missing" -> throw new NotFoundException("No such folder.", new Missing("missing"));
      case "full" -> throw new FullException("It is full.", new Full(7));
      case "broken" -> throw new IllegalStateException("broken");
      case "soap" -> throw fault();
      case "nothing" -> {
        return;
      }
      default -> {
        found.value = new Found();
        Item item = new Item();
        item.number = count;
        item.subject = "null".equals(request.folder) ? null : request.folder + " of " + impersonation;
        found.value.item.add(item);
        server.value = version;
      }
    }
  }

  private static SOAPFaultException fault() {
    try {
      return new SOAPFaultException(SOAPFactory.newInstance().createFault("Of the service.", new QName("urn:mail", "Own")));
    } catch (SOAPException e) {
      throw new IllegalStateException(e);
    }
  }

  @WebMethod(action = "urn:mail:action:move")
  @WebResult(partName = "MoveResult", name = "MoveResponse", targetNamespace = MESSAGES)
  public Moved move(
      @WebParam(partName = "RequestVersion", name = "RequestVersion", targetNamespace = TYPES, header = true) String version,
      @WebParam(partName = "Cookie", name = "Cookie", targetNamespace = TYPES, header = true, mode = WebParam.Mode.INOUT)
          Holder<String> cookie,
      @WebParam(partName = "request", name = "Move", targetNamespace = MESSAGES) Move request) {
    count++;
    cookie.value = cookie.value == null ? null : cookie.value + "/" + version + "/" + count;
    Moved moved = new Moved();
    moved.moved = count;
    return request.to == null ? null : moved;
  }

  @Oneway
  @WebMethod(action = "urn:mail:action:note")
  public void note(
      @WebParam(partName = "note", name = "Note", targetNamespace = MESSAGES) Note note,
      @WebParam(partName = "Impersonation", name = "Impersonation", targetNamespace = TYPES, header = true) String impersonation) {
    count += note.text.length();
  }

  @WebMethod(action = "urn:mail:action:ping")
  @WebResult(partName = "count", name = "Count", targetNamespace = MESSAGES)
  public int ping(
      @WebParam(partName = "RequestVersion", name = "RequestVersion", targetNamespace = TYPES, header = true) String version) {
    return ++count;
  }

  /** Its request has a part with a type instead of an element. */
  @WebMethod(action = "urn:mail:action:label")
  @WebResult(partName = "count", name = "Count", targetNamespace = MESSAGES)
  public int label(@WebParam(partName = "text", name = "text", targetNamespace = "urn:mail") String text) {
    count++;
    return text.length();
  }

  /** The same behind the other port. */
  @WebService(
      name = "Mailbox", serviceName = "MailboxService", portName = "Mailbox12", targetNamespace = "urn:mail",
      wsdlLocation = "classpath:contract/mailbox.wsdl")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
  public static class Of12 extends MailboxService {}

  /** A request. */
  @XmlRootElement(name = "FindItem")
  @XmlType(name = "")
  public static class Find {
    @XmlElement public String folder;
  }

  /** A result. */
  @XmlRootElement(name = "FindItemResponse")
  @XmlType(name = "")
  public static class Found {
    @XmlElement public List<Item> item = new ArrayList<>();
  }

  /** A part of a result. */
  @XmlType(name = "Item", namespace = TYPES, propOrder = {"subject", "number"})
  public static class Item {
    @XmlElement(namespace = TYPES, nillable = true)
    public String subject;
    @XmlElement(namespace = TYPES)
    public int number;
  }

  /** A request. */
  @XmlRootElement(name = "Move")
  @XmlType(name = "")
  public static class Move {
    @XmlElement public String to;
  }

  /** A result. */
  @XmlRootElement(name = "MoveResponse")
  @XmlType(name = "")
  public static class Moved {
    @XmlElement public int moved;
  }

  /** A message. */
  @XmlRootElement(name = "Note")
  @XmlType(name = "")
  public static class Note {
    @XmlElement public String text;
  }

  /** The detail of a fault. */
  @XmlRootElement(name = "NotFound")
  @XmlType(name = "")
  public static class Missing {
    @XmlElement public String folder;

    /** Needed by JAXB. */
    public Missing() {}

    Missing(String folder) {
      this.folder = folder;
    }
  }

  /** The detail of a fault. */
  @XmlRootElement(name = "Full")
  @XmlType(name = "")
  public static class Full {
    @XmlElement public int limit;

    /** Needed by JAXB. */
    public Full() {}

    Full(int limit) {
      this.limit = limit;
    }
  }

  /** A declared fault; its element is named other than the fault in the contract. */
  @WebFault(name = "NotFound", targetNamespace = MESSAGES)
  public static class NotFoundException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Missing info;

    public NotFoundException(String message, Missing info) {
      super(message);
      this.info = info;
    }

    public Missing getFaultInfo() {
      return info;
    }
  }

  /** A declared fault; its element is named as the fault in the contract. */
  @WebFault(name = "Full", targetNamespace = MESSAGES)
  public static class FullException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Full info;

    public FullException(String message, Full info) {
      super(message);
      this.info = info;
    }

    public Full getFaultInfo() {
      return info;
    }
  }
}
