package org.understudy.session.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import org.understudy.replication.core.request.RequestKey;

/**
 * What makes two requests the same one: session, handle, method, URI, credentials and body; or session and the parameter
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
   * @param authorization the header: a stored answer is sent only for the same credentials; null for none
   * @param form whether the body is a URL-encoded form
   */
  public record Content(String method, String uri, String query, String authorization, byte[] body, boolean form) {
    String token() {
      String inQuery = find(query);
      return inQuery == null && form ? find(new String(body, StandardCharsets.ISO_8859_1)) : inQuery;
    }

    private String target() {
      return authorization == null ? method + " " + uri : method + " " + uri + "\n" + authorization;
    }

    private static String find(String parameters) {
      Matcher found = TOKEN_PARAMETER.matcher(parameters == null ? "" : parameters);
      return found.find() ? found.group(1) : null;
    }
  }

  /**
   * The key of a request. Null when nothing identifies it: without a token and without a handle, two equal requests may both be meant.
   *
   * @param seen what the handle's cookie says; null for none
   */
  public RequestKey key(String session, HandleCookie.Seen seen, Content content) {
    String token = content.token();
    if (token != null) {
      ByteBuffer hash = hash("token", session, token, null);
      return new RequestKey.OfMessageId(hash.getLong(), hash.getLong());
    }
    if (seen == null) {
      return null;
    }
    String shown = session + "\n" + seen.handle() + "-" + seen.nonce();
    ByteBuffer hash = hash("handle", shown, content.target(), content.body());
    return new RequestKey.OfMessageId(hash.getLong(), hash.getLong());
  }

  /** The digest of a request's content, to detect another request with the same token. */
  public long digest(Content content) {
    return hash("digest", "", content.target(), content.body()).getLong();
  }

  private ByteBuffer hash(String label, String first, String second, byte[] body) {
    Mac mac = tag.begin();
    for (String part : new String[] {"understudy request", label, first, second}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      mac.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      mac.update(bytes);
    }
    if (body != null) {
      mac.update(body);
    }
    return ByteBuffer.wrap(mac.doFinal());
  }
}
