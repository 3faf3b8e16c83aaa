package org.understudy.session.record;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the group keeps of a session besides the values of its attributes. Immutable.
 *
 * @param created milliseconds since 1970
 * @param accessed milliseconds since 1970 of a request of the session; at most a quarter of the interval before the last one
 * @param maxInactiveSeconds zero or less: the session does not expire
 * @param authType null when no user has logged in
 * @param user the name of the principal; null for none
 * @param roles of the principal
 * @param attributes the names of the attributes, in ascending order
 */
public record SessionRecord(
    long created,
    long accessed,
    int maxInactiveSeconds,
    String authType,
    String user,
    List<String> roles,
    List<String> attributes) {
  private static final int FORM = 1;

  public SessionRecord {
    roles = List.copyOf(roles);
    attributes = List.copyOf(attributes);
  }

  /** Whether the same user has logged in, in the same way, as in the other record. */
  public boolean hasUserOf(SessionRecord other) {
    return Objects.equals(user, other.user) && Objects.equals(authType, other.authType) && roles.equals(other.roles);
  }

  /** Whether the record is due to be written again because of an access, so that {@link #isExpired} is never early. */
  public boolean isAccessDue(long now) {
    return maxInactiveSeconds > 0 && now - accessed >= maxInactiveSeconds * 250L;
  }

  /** Whether the session has had no request for its interval. True at the latest when a quarter more has passed. */
  public boolean isExpired(long now) {
    return maxInactiveSeconds > 0 && now - accessed >= maxInactiveSeconds * 1_250L;
  }

  /** This record as bytes. Equal records have equal bytes. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORM);
      out.writeLong(created);
      out.writeLong(accessed);
      out.writeInt(maxInactiveSeconds);
      write(out, authType);
      write(out, user);
      write(out, roles);
      write(out, attributes);
    } catch (IOException e) {
      throw new UncheckedIOException("A name in the session's record is longer than 65,535 bytes.", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      out.writeUTF(text);
    }
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      out.writeUTF(text);
    }
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException when the bytes are not of {@link #encode}
   */
  public static SessionRecord decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int form = in.readUnsignedByte();
      if (form != FORM) {
        throw new IllegalArgumentException("A session's record has the form " + form + ", and this version reads " + FORM + ".");
      }
      return new SessionRecord(
          in.readLong(), in.readLong(), in.readInt(), text(in), text(in), texts(in, bytes.length), texts(in, bytes.length));
    } catch (IOException e) {
      throw new IllegalArgumentException("A session's record ends early.", e);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readUTF() : null;
  }

  private static List<String> texts(DataInputStream in, int max) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > max) {
      throw new IllegalArgumentException("A session's record lists " + count + " names in " + max + " bytes.");
    }
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(in.readUTF());
    }
    return texts;
  }
}
