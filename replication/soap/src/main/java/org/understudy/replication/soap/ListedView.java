package org.understudy.replication.soap;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.ChildElements;

/**
 * A view as replicas report it to clients.
 *
 * @param epoch 0 when it is not known
 * @param replicas the members in the order of the view, then those outside
 */
public record ListedView(long epoch, List<ListedReplica> replicas) {
  /** The name of the element. */
  public static final String NAME = "View";
  static final ListedView NONE = new ListedView(0, List.of());

  public ListedView {
    replicas = List.copyOf(replicas);
  }

  /** {@code ur:View}, inside an element that binds the prefix. */
  public String text() {
    StringBuilder text = new StringBuilder(256).append("<ur:" + NAME + "><ur:" + ReplicationNames.EPOCH + ">").append(epoch);
    text.append("</ur:" + ReplicationNames.EPOCH + ">");
    replicas.forEach(replica -> replica.append(text));
    return text.append("</ur:" + NAME + ">").toString();
  }

  /**
   * Reads an element with {@code Epoch} and {@code Replica} below it.
   *
   * @param in on the start of the element
   */
  public static ListedView read(XMLStreamReader2 in) throws XMLStreamException {
    long epoch = 0;
    List<ListedReplica> replicas = new ArrayList<>(3);
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      switch (in.getLocalName()) {
        case ReplicationNames.EPOCH -> epoch = Long.parseLong(in.getElementText().trim());
        case ListedReplica.NAME -> {
          ListedReplica replica = ListedReplica.read(in);
          if (replica != null) {
            replicas.add(replica);
          }
        }
        default -> {
          // What is not known here is passed over.
        }
      }
    }
    return new ListedView(epoch, replicas);
  }
}
