package org.understudy.replication.api;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/**
 * A SOAP request that a service asks for, see {@link Outgoing}.
 *
 * @param addresses where it goes; those of one destination, tried in turn
 * @param group whether the destination is a group of Understudy replicas
 * @param action for {@code wsa:Action} and SOAPAction; may be empty
 * @param body the element in the Body; copied when the call is sent
 * @param soap12 whether the envelope is of SOAP 1.2 instead of 1.1
 * @param resource the id of the resource at which the reply arrives; null: the one that the operation is for
 * @param tag returned with the reply, for the service's own use; may be empty, at most 1,024 characters
 */
public record OutgoingCall(
    List<URI> addresses, boolean group, String action, Element body, boolean soap12, String resource, String tag) {
  private static final int MAX_ADDRESSES = 16;
  private static final int MAX_TEXT = 1_024;
  private static final Pattern ACTION = Pattern.compile("[!#-~]{0,1024}");

  public OutgoingCall {
    addresses = List.copyOf(addresses);
    if (addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
      throw new IllegalArgumentException(
          "An outgoing call has from 1 to " + MAX_ADDRESSES + " addresses, not " + addresses.size() + ".");
    }
    for (URI address : addresses) {
      boolean http = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
      if (address.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "The address of an outgoing call to " + address.getHost() + " has a user name. Use an address without one.");
      }
      if (!http || address.getHost() == null || address.toString().length() > MAX_TEXT) {
        throw new IllegalArgumentException(
            "An outgoing call cannot go to " + address + ". Use an http or https URL with a host, of at most " + MAX_TEXT
                + " characters.");
      }
    }
    if (!ACTION.matcher(action).matches()) {
      throw new IllegalArgumentException(
          "The action of an outgoing call has at most 1,024 printable ASCII characters without spaces and quotation marks.");
    }
    if (body == null) {
      throw new IllegalArgumentException("An outgoing call to " + addresses.get(0) + " has no body.");
    }
    if (tag.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "The tag of an outgoing call has " + tag.length() + " characters; at most " + MAX_TEXT + " are allowed.");
    }
  }

  /** A call in SOAP 1.1 to one address. It arrives at least once, always under the same {@code wsa:MessageID}. */
  public static OutgoingCall to(URI address, String action, Element body) {
    return new OutgoingCall(List.of(address), false, action, body, false, null, "");
  }

  /**
   * A call in SOAP 1.1 to a service of an Understudy group. The group executes it exactly once while the session lives in which it
   * is sent. If an attempt has no known outcome and the session has expired since, the call becomes a dead letter, and is not
   * sent again by itself.
   *
   * @param replicas the addresses of the service at the replicas of the group; always in the same order, for they name it
   */
  public static OutgoingCall toGroup(List<URI> replicas, String action, Element body) {
    return new OutgoingCall(replicas, true, action, body, false, null, "");
  }

  /** The same in SOAP 1.2. */
  public OutgoingCall inSoap12() {
    return new OutgoingCall(addresses, group, action, body, true, resource, tag);
  }

  /** The same, whose reply arrives at another resource: one that the operation creates, for example. */
  public OutgoingCall replyingAt(String resourceId) {
    return new OutgoingCall(addresses, group, action, body, soap12, resourceId, tag);
  }

  /** The same with a text that the reply returns. */
  public OutgoingCall tagged(String text) {
    return new OutgoingCall(addresses, group, action, body, soap12, resource, text);
  }
}
