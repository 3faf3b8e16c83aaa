package org.understudy.container.invoker;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.headers.Header;
import org.apache.cxf.helpers.CastUtils;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.WSDataRef;
import org.apache.wss4j.dom.engine.WSSecurityEngineResult;
import org.apache.wss4j.dom.handler.WSHandlerConstants;
import org.apache.wss4j.dom.handler.WSHandlerResult;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.addressing.Addressing;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Requires that the header block with the identity of a request is signed where the sender signs header blocks. Otherwise a
 * host between client and service could send a recorded message under another identity, to make the service execute it again.
 */
final class SignedIdentity {
  private static final List<Integer> SIGNATURES = List.of(WSConstants.SIGN, WSConstants.UT_SIGN, WSConstants.ST_SIGNED);

  private SignedIdentity() {}

  /** @throws SoapFault when the block is not signed and another header block is */
  static void check(SoapMessage in) {
    List<WSHandlerResult> results = CastUtils.cast((List<?>) in.get(WSHandlerConstants.RECV_RESULTS));
    if (results == null) {
      return;
    }
    Set<Node> signed = Collections.newSetFromMap(new IdentityHashMap<>());
    boolean signsBlocks = false;
    for (WSHandlerResult result : results) {
      for (int signature : SIGNATURES) {
        List<WSSecurityEngineResult> verified = result.getActionResults().getOrDefault(signature, List.of());
        for (WSSecurityEngineResult one : verified) {
          List<WSDataRef> parts = CastUtils.cast((List<?>) one.get(WSSecurityEngineResult.TAG_DATA_REF_URIS));
          for (WSDataRef part : parts == null ? List.<WSDataRef>of() : parts) {
            Element element = part.getProtectedElement();
            signed.add(element);
            signsBlocks |= isBlock(element, in.getVersion().getNamespace());
          }
        }
      }
    }
    Header identity = identity(in.getHeaders());
    if (signsBlocks && identity != null && !signed.contains(identity.getObject())) {
      throw new SoapFault(
          "The header block " + identity.getName() + " is not signed, but other header blocks are. Sign it as well: by it a "
              + "repeated request is recognised.",
          in.getVersion().getSender());
    }
  }

  private static boolean isBlock(Element element, String soap) {
    Node parent = element == null ? null : element.getParentNode();
    return parent != null && "Header".equals(parent.getLocalName()) && soap.equals(parent.getNamespaceURI());
  }

  /** Returns the replication header, else the block with the message id, else null. */
  private static Header identity(List<Header> headers) {
    Header id = null;
    for (Header header : headers) {
      if (header.getName().equals(ReplicationNames.HEADER)) {
        return header;
      }
      if (header.getName().equals(Addressing.name("MessageID"))) {
        id = header;
      }
    }
    return id;
  }
}
