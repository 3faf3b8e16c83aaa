package org.understudy.container.forwarding.sealed;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import org.understudy.container.caller.CallerProof;

/**
 * The body of a forwarded request: the length of the client's request, four bytes; that request; and its message. A proof covers all of it.
 *
 * @param client what {@link ClientRequest#write} has written
 * @param message in the form that the receiver reads
 */
public record SealedRequest(byte[] client, byte[] message) {
  /** Bytes beside the two parts. */
  private static final int LENGTH = 4;

  /** A body that arrives: the client's request is there, and the message is to be read. */
  public static final class Arriving {
    private final byte[] client;
    private final DigestInputStream rest;

    private Arriving(byte[] client, DigestInputStream rest) {
      this.client = client;
      this.rest = rest;
    }

    /** Returns the number of bytes of the message in a body of this many bytes. */
    public long messageLength(long body) {
      return body - LENGTH - client.length;
    }

    /** The message, to be read to its end. Blocks as the body does. */
    public InputStream message() {
      return rest;
    }

    /**
     * Returns the client's request, after the message has been read.
     *
     * @param digest of the proof
     * @throws IOException when the body is not the proved one
     */
    public ClientRequest client(String digest) throws IOException {
      if (!digest.equals(CallerProof.text(rest.getMessageDigest()))) {
        throw new IOException("The body of the forwarded request is not the one that its sender has proved.");
      }
      return ClientRequest.read(client);
    }
  }

  /**
   * Reads the first part of a body. Blocks as the body does.
   *
   * @throws IOException when it cannot be read, or is no such body
   */
  public static Arriving arriving(InputStream body) throws IOException {
    DigestInputStream digested = new DigestInputStream(body, CallerProof.digest());
    int length = new DataInputStream(digested).readInt();
    if (length < 0 || length > ClientRequest.MAX_BYTES) {
      throw new IOException("The forwarded request has a first part of " + length + " bytes.");
    }
    byte[] client = digested.readNBytes(length);
    if (client.length < length) {
      throw new IOException("The forwarded request ends too early.");
    }
    return new Arriving(client, digested);
  }

  private byte[] length() {
    return ByteBuffer.allocate(LENGTH).putInt(client.length).array();
  }

  /** The number of bytes of the whole body. */
  public long size() {
    return (long) LENGTH + client.length + message.length;
  }

  /** Returns the digest for the proof. */
  public String digest() {
    MessageDigest digest = CallerProof.digest();
    digest.update(length());
    digest.update(client);
    digest.update(message);
    return CallerProof.text(digest);
  }

  /** Writes the whole body. Blocks as the stream does. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(length());
    out.write(client);
    out.write(message);
  }

  /** Without the content. */
  @Override
  public String toString() {
    return size() + " bytes";
  }
}
