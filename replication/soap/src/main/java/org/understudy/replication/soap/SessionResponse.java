package org.understudy.replication.soap;

import java.util.Set;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.soap.xml.ChildElements;

/**
 * The content of the Body of a response to OpenSession, RenewSession, CloseSession or AwaitView. Missing values are null, 0, {@link
 * VersionHandles#NONE} or a view without replicas.
 *
 * @param session the session's id
 * @param leaseSeconds the time in seconds after which the session expires without a request
 * @param versions the group's version when the session was opened
 * @param view the group's view
 */
public record SessionResponse(String session, int leaseSeconds, VersionHandles versions, ListedView view) {
  private static final String LEASE_SECONDS = "LeaseSeconds";
  private static final String RESPONSE = "Response";
  private static final String OPEN = "OpenSession";
  private static final String RENEW = "RenewSession";
  private static final String CLOSE = "CloseSession";
  private static final String AWAIT = "AwaitView";
  private static final Set<String> NAMES = Set.of(OPEN + RESPONSE, RENEW + RESPONSE, CLOSE + RESPONSE, AWAIT + RESPONSE);

  /** Writes the response of OpenSession. */
  public static String opened(SessionId session, long leaseSeconds, VersionHandle handle, ListedView view) {
    return of(
        OPEN,
        field(ReplicationHeader.SESSION, session) + field(LEASE_SECONDS, leaseSeconds)
            + field(ReplicationNames.VERSION_HANDLE, handle) + view.text());
  }

  /** Writes the response of RenewSession. */
  public static String renewed(long leaseSeconds) {
    return of(RENEW, field(LEASE_SECONDS, leaseSeconds));
  }

  /** Writes the response of CloseSession. */
  public static String closed() {
    return of(CLOSE, "");
  }

  /** Writes the response of AwaitView. */
  public static String awaited(ListedView view) {
    return of(AWAIT, view.text());
  }

  private static String of(String operation, String content) {
    return ReplicationNames.open(operation + RESPONSE) + content + "</ur:" + operation + RESPONSE + ">";
  }

  private static String field(String name, Object value) {
    return "<ur:" + name + ">" + value + "</ur:" + name + ">";
  }

  /**
   * Reads the response in the Body.
   *
   * @param in on the start of the Body
   * @throws IllegalStateException when the Body contains no such response
   * @throws IllegalArgumentException when a value is invalid
   */
  public static SessionResponse read(XMLStreamReader2 in) throws XMLStreamException {
    if (!new ChildElements(in).next() || !ReplicationNames.NAMESPACE.equals(in.getNamespaceURI())
        || !NAMES.contains(in.getLocalName())) {
      throw new IllegalStateException("no response of a session operation");
    }
    String session = null;
    int lease = 0;
    VersionHandles versions = VersionHandles.NONE;
    ListedView view = ListedView.NONE;
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      switch (in.getLocalName()) {
        case ReplicationHeader.SESSION -> session = in.getElementText().trim();
        case LEASE_SECONDS -> lease = Integer.parseInt(in.getElementText().trim());
        case ReplicationNames.VERSION_HANDLE, ReplicationNames.SCOPED_HANDLE ->
            versions = versions.with(VersionHandle.parse(in.getElementText().trim()));
        case ListedView.NAME -> view = ListedView.read(in);
        default -> {
          // Ignores unknown elements.
        }
      }
    }
    return new SessionResponse(session, lease, versions, view);
  }
}
