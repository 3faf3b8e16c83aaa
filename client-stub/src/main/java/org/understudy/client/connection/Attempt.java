package org.understudy.client.connection;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.core5.http.HttpHost;

/** One POST to one replica. {@link #abort()} may be called by any thread at any time. */
public final class Attempt {
  final HttpPost post;
  final HttpHost host;
  private final ContentEntity entity;
  private final URI replica;
  private final ReplicaConnections connections;
  private Duration connectTimeout;
  private volatile boolean aborted;

  /**
   * @param replica the base address, by which views identify the replica
   * @param address the URL to post to: the replica's address, possibly with a resource's id after it
   * @param headers of this request; they replace those of the access
   */
  public Attempt(URI replica, URI address, Access access, String contentType, Map<String, String> headers, Content content) {
    this.replica = replica;
    this.connections = access.connections();
    this.connectTimeout = connections.connectTimeout();
    this.post = new HttpPost(address);
    this.host = new HttpHost(address.getScheme(), address.getHost(), address.getPort());
    access.fields().forEach(post::setHeader);
    headers.forEach(post::setHeader);
    if (access.authorization() != null) {
      post.setHeader("Authorization", access.authorization());
    }
    this.entity = new ContentEntity(content, contentType);
    post.setEntity(entity);
  }

  /** Replaces the credentials. */
  public Attempt authorized(String authorization) {
    post.setHeader("Authorization", authorization);
    return this;
  }

  /** Replaces the timeout for connecting. */
  public Attempt connectingWithin(Duration timeout) {
    connectTimeout = timeout;
    return this;
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  /** The connections on which it is to be sent. */
  public ReplicaConnections connections() {
    return connections;
  }

  public URI replica() {
    return replica;
  }

  /** Closes the socket, so that a thread waiting for the response gets an I/O error at once. */
  public void abort() {
    aborted = true;
    post.cancel();
  }

  /** Whether the replica may have received the request. */
  boolean isSent() {
    return entity.isSending();
  }

  public boolean isAborted() {
    return aborted;
  }
}
