package org.understudy.container.configuration;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The other groups with which transactions are possible. No other address is ever called for a transaction.
 *
 * @param addresses of a service at each replica, by group; empty: transactions are for this group alone
 * @param secret that all these groups share; empty without groups
 */
public record TransactionPeers(Map<String, List<URI>> addresses, byte[] secret) {
  private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final int MIN_SECRET = 16;
  private static final int MAX_ADDRESSES = 64;

  static TransactionPeers of(Map<Key, String> values, String self) throws ConfigurationException {
    String listed = values.get(Key.TRANSACTION_PEERS).strip();
    if (listed.equals("none")) {
      return new TransactionPeers(Map.of(), new byte[0]);
    }
    Map<String, List<URI>> addresses = new TreeMap<>();
    for (String one : listed.split("\\s*,\\s*")) {
      int equals = one.indexOf('=');
      String group = equals < 0 ? "" : one.substring(0, equals);
      if (!GROUP.matcher(group).matches() || group.equals(self)) {
        throw refused(one, "the part before = is not the name of another group, of at most 64 letters, digits, dots, _ and -");
      }
      List<URI> known = addresses.computeIfAbsent(group, name -> new ArrayList<>());
      known.add(address(one, one.substring(equals + 1)));
      if (known.size() > MAX_ADDRESSES) {
        throw refused(one, "the group has more than " + MAX_ADDRESSES + " addresses");
      }
    }
    if (!GROUP.matcher(self).matches()) {
      throw new ConfigurationException(
          Key.TRANSACTION_PEERS.property() + " is set, and this group's own name " + self
              + " (understudy.group) is not one of at most 64 letters, digits, dots, _ and -.");
    }
    String secret = values.getOrDefault(Key.TRANSACTION_SECRET, "");
    if (secret.length() < MIN_SECRET) {
      throw new ConfigurationException(
          Key.TRANSACTION_SECRET.property() + " has fewer than " + MIN_SECRET + " characters, and " + Key.TRANSACTION_PEERS.property()
              + " is set. Set the same one at all these groups.");
    }
    return new TransactionPeers(addresses, secret.getBytes(StandardCharsets.UTF_8));
  }

  private static URI address(String entry, String text) throws ConfigurationException {
    try {
      URI address = new URI(text);
      boolean http = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
      if (http && address.getHost() != null && address.getRawUserInfo() == null && address.getRawFragment() == null) {
        return address;
      }
    } catch (URISyntaxException e) {
      throw refused(entry, "the part after = is not a URL (" + e.getReason() + ")");
    }
    throw refused(entry, "the part after = is not the http or https URL of a service");
  }

  private static ConfigurationException refused(String entry, String why) {
    return new ConfigurationException(
        Key.TRANSACTION_PEERS.property() + " lists " + entry + ": " + why + ". Write group=URL, comma between.");
  }
}
