package org.understudy.container.invoker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.model.SoapBindingInfo;
import org.apache.cxf.binding.soap.model.SoapHeaderInfo;
import org.apache.cxf.binding.soap.wsdl.extensions.SoapBody;
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
    return operation.getBinding() instanceof SoapBindingInfo soap && "rpc".equals(soap.getStyle(operation.getOperationInfo()));
  }

  /** Returns the element in the Body of a request. */
  public static QName element(BindingOperationInfo wrapped) {
    if (isRpc(wrapped)) {
      SoapBody body = wrapped.getInput().getExtensor(SoapBody.class);
      String namespace = body == null ? null : body.getNamespaceURI();
      QName name = wrapped.getName();
      return namespace == null || namespace.isEmpty() ? name : new QName(namespace, name.getLocalPart());
    }
    for (MessagePartInfo part : bodyParts(wrapped)) {
      if (part.isElement()) {
        return part.getElementQName();
      }
    }
    return Operations.EMPTY_BODY;
  }

  /** Returns the parts of a request that are in its Body. */
  public static List<MessagePartInfo> bodyParts(BindingOperationInfo wrapped) {
    List<MessagePartInfo> parts = new ArrayList<>(wrapped.getInput().getMessageParts());
    List<SoapHeaderInfo> headers = wrapped.getInput().getExtensors(SoapHeaderInfo.class);
    if (headers != null) {
      headers.forEach(header -> parts.remove(header.getPart()));
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
}
