package org.understudy.container.twin;

import jakarta.xml.bind.annotation.XmlType;
import jakarta.xml.soap.SOAPConstants;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPFactory;
import jakarta.xml.soap.SOAPFault;
import jakarta.xml.ws.WebFault;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPFaultException;
import javax.xml.namespace.QName;
import org.apache.cxf.interceptor.Fault;

/** The ways in which an operation fails. */
final class TwinFaults {
  private TwinFaults() {}

  /** What a declared fault carries. */
  @XmlType(name = "infoType", namespace = "urn:twin:item")
  public static class Info {
    public int code;
    public Item item;
  }

  /** A fault as generated code has it. */
  @WebFault(name = "declared", targetNamespace = "urn:twin:fault")
  public static class Declared extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Info info;

    Declared(String message, Info info) {
      super(message);
      this.info = info;
    }

    public Info getFaultInfo() {
      return info;
    }
  }

  /** An exception without annotations. */
  public static class Plain extends Exception {
    private static final long serialVersionUID = 1L;

    Plain(String message) {
      super(message);
    }

    public String getPlace() {
      return "here";
    }
  }

  static RuntimeException of(String how) throws Declared, Plain {
    Info info = new Info();
    info.code = 7;
    switch (how) {
      case "declared" -> throw new Declared("a declared fault", info);
      case "declared empty" -> throw new Declared("a declared fault", null);
      case "declared without message" -> throw new Declared(null, info);
      case "plain" -> throw new Plain("a plain exception");
      case "runtime" -> throw new IllegalStateException("it is <closed>");
      case "without message" -> throw new IllegalStateException();
      case "cause" -> throw new IllegalStateException(new IllegalArgumentException("the cause"));
      case "service" -> throw new WebServiceException("the service", new IllegalArgumentException("the cause"));
      case "error" -> throw new AssertionError("an error");
      case "client" -> throw soap(new QName(SOAPConstants.URI_NS_SOAP_1_1_ENVELOPE, "Client"), null, null);
      case "own code" -> throw soap(new QName("urn:twin:codes", "Closed", "c"), "urn:twin:actor", null);
      case "detail" -> throw soap(new QName(SOAPConstants.URI_NS_SOAP_1_1_ENVELOPE, "Server"), null, "urn:twin:detail");
      case "cxf" -> {
        Fault fault = new Fault(new IllegalStateException("of CXF"));
        fault.setStatusCode(418);
        throw fault;
      }
      case "cxf code" -> {
        Fault fault = new Fault(new IllegalStateException("of CXF"), Fault.FAULT_CODE_CLIENT);
        fault.setMessage("another message");
        throw fault;
      }
      default -> throw new IllegalArgumentException(how);
    }
  }

  private static SOAPFaultException soap(QName code, String actor, String detail) {
    try {
      SOAPFault fault = SOAPFactory.newInstance().createFault("a SOAP fault", code);
      if (actor != null) {
        fault.setFaultActor(actor);
      }
      if (detail != null) {
        fault.addDetail().addDetailEntry(new QName(detail, "entry", "d")).setTextContent("why");
      }
      return new SOAPFaultException(fault);
    } catch (SOAPException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
