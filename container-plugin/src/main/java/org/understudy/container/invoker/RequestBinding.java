package org.understudy.container.invoker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.wsdl.extensions.mime.MIMEMultipartRelated;
import javax.wsdl.extensions.mime.MIMEPart;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SOAPBindingUtil;
import org.apache.cxf.binding.soap.model.SoapBindingInfo;
import org.apache.cxf.binding.soap.model.SoapHeaderInfo;
import org.apache.cxf.binding.soap.wsdl.extensions.SoapBody;
import org.apache.cxf.service.model.BindingMessageInfo;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.service.model.MessagePartInfo;
import org.understudy.container.operation.Operations;

/** How CXF binds an operation's request to the Body of a message. */
public final class RequestBinding {
  private RequestBinding() {}

  /** Returns the operation with its message as on the wire. */
  public static BindingOperationInfo wrapped(BindingOperationInfo operation) {
    return operation.isUnwrapped() ? operation.getWrappedOperation() : operation;
  }

  public static boolean isRpc(BindingOperationInfo operation) {
    if (!(operation.getBinding() instanceof SoapBindingInfo soap)) {
      return false;
    }
    String own = soap.getStyle(operation.getOperationInfo());
    return "rpc".equalsIgnoreCase(own == null || own.isEmpty() ? soap.getStyle() : own);
  }

  /** Returns the element in the Body of a request. */
  public static QName element(BindingOperationInfo wrapped) {
    if (isRpc(wrapped)) {
      SoapBody body = wrapped.getInput().getExtensor(SoapBody.class);
      String namespace = body == null ? null : body.getNamespaceURI();
      QName name = wrapped.getName();
      return namespace == null || namespace.isEmpty() ? name : new QName(namespace, name.getLocalPart());
    }
    List<MessagePartInfo> parts = bodyParts(wrapped);
    // CXF reads a part that has a type as an element with the name of the part.
    return parts.isEmpty() ? Operations.EMPTY_BODY : parts.get(0).getConcreteName();
  }

  /** Returns the parts of a request that are in its Body: not those in its Header, in an attachment, or nowhere. */
  public static List<MessagePartInfo> bodyParts(BindingOperationInfo wrapped) {
    BindingMessageInfo input = wrapped.getInput();
    List<MessagePartInfo> parts = new ArrayList<>(input.getMessageParts());
    List<SoapHeaderInfo> headers = input.getExtensors(SoapHeaderInfo.class);
    if (headers != null) {
      headers.forEach(header -> parts.remove(header.getPart()));
    }
    SoapBody body = body(input);
    if (body != null && body.getParts() != null) {
      parts.removeIf(part -> !body.getParts().contains(part.getName().getLocalPart()));
    }
    return parts;
  }

  /** Returns the names of the header blocks that a request can have. */
  public static Set<QName> headers(BindingOperationInfo wrapped) {
    List<SoapHeaderInfo> headers = wrapped.getInput().getExtensors(SoapHeaderInfo.class);
    return headers == null
        ? Set.of()
        : headers.stream().map(header -> header.getPart().getConcreteName()).collect(Collectors.toSet());
  }

  /** Returns how the contract binds the Body, alone or as a part of a multipart message; null for the default. */
  private static SoapBody body(BindingMessageInfo input) {
    MIMEMultipartRelated multipart = input.getExtensor(MIMEMultipartRelated.class);
    for (Object part : multipart == null ? List.of() : multipart.getMIMEParts()) {
      for (Object bound : ((MIMEPart) part).getExtensibilityElements()) {
        if (SOAPBindingUtil.isSOAPBody(bound)) {
          return SOAPBindingUtil.getSoapBody(bound);
        }
      }
    }
    return input.getExtensor(SoapBody.class);
  }
}
