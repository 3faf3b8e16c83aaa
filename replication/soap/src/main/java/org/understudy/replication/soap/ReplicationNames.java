package org.understudy.replication.soap;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;

/** The names of {@code urn:understudy:replication:1}. Written with the prefix {@code ur}. */
public final class ReplicationNames {
  public static final String NAMESPACE = "urn:understudy:replication:1";
  /** The header block of requests and of responses. */
  public static final QName HEADER = new QName(NAMESPACE, "ReplicationHeader");
  /** In the detail of a fault: the request has no result. */
  public static final QName FAULT = new QName(NAMESPACE, "ReplicationFault");
  /** The reference parameter with the id of a resource. */
  public static final QName RESOURCE_ID = new QName(NAMESPACE, "ResourceId");

  static final String DECLARED = " xmlns:ur=\"" + NAMESPACE + "\"";
  static final String OPEN_HEADER = "<ur:ReplicationHeader" + DECLARED + ">";
  static final String CLOSE_HEADER = "</ur:ReplicationHeader>";

  // Names that several elements use.
  static final String VERSION_HANDLE = "VersionHandle";
  static final String SCOPED_HANDLE = "ScopedHandle";
  static final String EPOCH = "Epoch";

  private ReplicationNames() {}

  /** Whether a reader stands on the start of an element with this name. */
  public static boolean isAt(XMLStreamReader in, QName name) {
    return in.isStartElement() && name.getLocalPart().equals(in.getLocalName()) && NAMESPACE.equals(in.getNamespaceURI());
  }

  /** Returns the start tag of an element, which declares the prefix. */
  public static String open(String name) {
    return "<ur:" + name + DECLARED + ">";
  }

  /** Returns the action of a session or failover operation. */
  public static String action(String operation) {
    return NAMESPACE + "/" + operation;
  }
}
