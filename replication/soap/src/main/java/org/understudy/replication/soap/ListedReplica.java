package org.understudy.replication.soap;

import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.xml.XmlText;

/**
 * One {@code ur:Replica} of a view.
 *
 * @param id the number of the replica in the group
 * @param role primary, senior, backup or none; for clients that do not read {@code serves}
 * @param serves the names of the requests that it serves, separated by spaces; null from replicas of older versions
 * @param url the URL of the service at this replica
 */
public record ListedReplica(int id, String role, String serves, String url) {
  static final String NAME = "Replica";
  private static final String ID = "id";
  private static final String ROLE = "role";
  private static final String SERVES = "serves";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  void append(StringBuilder text) {
    text.append("<ur:" + NAME + " " + ID + "=\"").append(id).append("\" " + ROLE + "=\"").append(role);
    text.append("\" " + SERVES + "=\"").append(serves).append("\">").append(XmlText.escape(url)).append("</ur:" + NAME + ">");
  }

  /** Returns null for an entry without valid id or URL, because newer versions may list other entries. */
  static ListedReplica read(XMLStreamReader2 in) throws XMLStreamException {
    String id = String.valueOf(in.getAttributeValue(null, ID));
    String role = in.getAttributeValue(null, ROLE);
    String serves = in.getAttributeValue(null, SERVES);
    String url = in.getElementText().trim();
    return NUMBER.matcher(id).matches() && !url.isEmpty() ? new ListedReplica(Integer.parseInt(id), role, serves, url) : null;
  }
}
