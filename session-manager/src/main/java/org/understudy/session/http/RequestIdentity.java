package org.understudy.session.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import org.understudy.replication.core.request.RequestKey;

/**
 * What makes two requests the same one: session, cookie of the handle, method, URI, some headers and body; or session and the parameter
 * {@value #TOKEN}. Every replica computes the same hashes. Thread-safe.
 */
public final class RequestIdentity {
  /** The name of the parameter, in the query or in a URL-encoded form, by which a page names a request. */
  public static final String TOKEN = "understudy.request";

  private static final Pattern TOKEN_PARAMETER =
      Pattern.compile("(?:^|&)understudy\\.request=([A-Za-z0-9_-]{8,128})(?:&|$)");

  private final Tag tag;

  public RequestIdentity(byte[] secret) {
    this.tag = new Tag(secret);
  }

  /**
   * The content of a request.
   *
   * @param uri with the query
   * @param headers those that are part of the identity, a line each
   * @param form whether the body is a URL-encoded form
   */
  public record Content(String method, String uri, String query, String headers, byte[] body, boolean form) {
    String token() {
      String inQuery = find(query);
      return inQuery == null && form ? find(new String(body, StandardCharsets.ISO_8859_1)) : inQuery;
    }

    private static String find(String parameters) {
      if (parameters == null || !parameters.contains(TOKEN)) {
        return null;
      }
      Matcher found = TOKEN_PARAMETER.matcher(parameters);
      return found.find() ? found.group(1) : null;
    }
  }

  /**
   * What identifies a request.
   *
   * @param key null when nothing does: without a token and without a handle, two equal requests may both be meant
   * @param digest of the content, to detect another request with the same token
   */
  public record Identity(RequestKey key, long digest) {
    /** Of a request that nothing identifies. */
    public static final Identity NONE = new Identity(null, 0);
  }

  /**
   * Identifies a request.
   *
   * @param seen what the handle's cookie says; null for none
   */
  public Identity of(String session, HandleCookie.Seen seen, Content content) {
    String token = content.token();
    if (token == null && seen == null) {
      return Identity.NONE;
    }
    byte[] digest = hash("digest", content.method() + " " + content.uri(), content.headers(), content.body());
    byte[] key =
        token == null
            ? hash("handle", session, seen.handle() + "-" + seen.nonce(), digest)
            : hash("token", session, token, null);
    ByteBuffer bits = ByteBuffer.wrap(key);
    return new Identity(new RequestKey.OfMessageId(bits.getLong(), bits.getLong()), ByteBuffer.wrap(digest).getLong());
  }

  private byte[] hash(String label, String first, String second, byte[] body) {
    Mac mac = tag.begin();
    for (String part : new String[] {"understudy request", label, first, second}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      mac.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      mac.update(bytes);
    }
    if (body != null) {
      mac.update(body);
    }
    return mac.doFinal();
  }
}
