package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Opens a session: the client reports its name, the daemon lists its ways to authenticate, the client chooses NULL, the daemon accepts.
 * The daemon reads each of the client's parts at once, so each is written at once. Not thread-safe.
 */
public final class Handshake {
  private static final int METHOD_BYTES = 30;
  private static final int METHODS = 3;
  private static final String NO_AUTHENTICATION = "NULL";
  private static final byte WITH_MEMBERSHIPS = 1;
  private static final byte ACCEPTED = 1;
  private static final byte NAME_TAKEN = -6;
  /** Accepted, three parts of the version, length of the name. */
  private static final int ACCEPTANCE_BYTES = 5;
  private static final int OLDEST_MAJOR_VERSION = 4;

  private final String privateName;
  private boolean chosen;
  private String privateGroup;

  /** @param privateName unique at the daemon; 1 to 10 visible ASCII characters other than '#' */
  public Handshake(String privateName) {
    Protocol.checkName(privateName, Protocol.MAX_PRIVATE_NAME);
    this.privateName = privateName;
  }

  /** The first bytes that the client sends. */
  public ByteBuffer request() {
    byte[] name = privateName.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(Protocol.VERSION.length + 2 + name.length)
        .put(Protocol.VERSION)
        .put(WITH_MEMBERSHIPS)
        .put((byte) name.length)
        .put(name)
        .flip();
  }

  /**
   * Consumes the daemon's next part once all of it has arrived.
   *
   * @param in positioned at the first byte that no call has consumed
   * @return what to send next; null for nothing
   * @throws SpreadProtocolException when the daemon rejects the session, or is no such daemon
   */
  public ByteBuffer step(ByteBuffer in) throws SpreadProtocolException {
    if (!chosen) {
      return choose(in);
    }
    if (privateGroup == null) {
      accept(in);
    }
    return null;
  }

  /** The name of this session at all daemons, {@code #name#daemon}; null until the daemon accepts. */
  public String privateGroup() {
    return privateGroup;
  }

  private ByteBuffer choose(ByteBuffer in) throws SpreadProtocolException {
    if (!in.hasRemaining()) {
      return null;
    }
    byte length = in.get(in.position());
    if (length < 0) {
      throw rejected(length);
    }
    if (length > METHOD_BYTES * METHODS) {
      throw new SpreadProtocolException("the daemon announces " + length + " bytes of methods to authenticate");
    }
    if (in.remaining() < 1 + length) {
      return null;
    }
    byte[] list = new byte[length];
    in.get();
    in.get(list);
    List<String> methods = Arrays.asList(new String(list, StandardCharsets.US_ASCII).trim().split("[ \0]+"));
    if (!methods.contains(NO_AUTHENTICATION)) {
      throw new SpreadProtocolException(
          "the daemon requires authentication, and this client has none. Add NULL to AllowedAuthMethods in spread.conf");
    }
    chosen = true;
    byte[] choice = Arrays.copyOf(NO_AUTHENTICATION.getBytes(StandardCharsets.US_ASCII), METHOD_BYTES * METHODS);
    return ByteBuffer.wrap(choice);
  }

  private void accept(ByteBuffer in) throws SpreadProtocolException {
    if (!in.hasRemaining()) {
      return;
    }
    int start = in.position();
    if (in.get(start) != ACCEPTED) {
      throw rejected(in.get(start));
    }
    if (in.remaining() < ACCEPTANCE_BYTES) {
      return;
    }
    if (in.get(start + 1) < OLDEST_MAJOR_VERSION) {
      throw new SpreadProtocolException("the daemon has version " + in.get(start + 1) + ". Install Spread 4 or newer");
    }
    int length = in.get(start + ACCEPTANCE_BYTES - 1);
    if (length < 0 || length >= Protocol.NAME_BYTES) {
      throw new SpreadProtocolException("the daemon announces a name of " + length + " bytes");
    }
    if (in.remaining() < ACCEPTANCE_BYTES + length) {
      return;
    }
    byte[] name = new byte[length];
    in.position(start + ACCEPTANCE_BYTES);
    in.get(name);
    String group = new String(name, StandardCharsets.US_ASCII);
    if (!group.startsWith("#" + privateName + "#")) {
      throw new SpreadProtocolException("the daemon gave this session another name");
    }
    privateGroup = group;
  }

  private static SpreadProtocolException rejected(byte code) {
    return switch (code) {
      case -3 -> new SpreadProtocolException("the daemon has too many sessions");
      case -4, -5 -> new SpreadProtocolException("the daemon rejects the name of the session");
      case NAME_TAKEN -> new SpreadProtocolException("another session of the daemon has the same name", true);
      case -7 -> new SpreadProtocolException("the daemon rejects the version of this client");
      case -9 -> new SpreadProtocolException("the daemon denies access");
      default -> new SpreadProtocolException("the daemon answers with code " + code);
    };
  }
}
