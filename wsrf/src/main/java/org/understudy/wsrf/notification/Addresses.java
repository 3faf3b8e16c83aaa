package org.understudy.wsrf.notification;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.notification.subscription.References;
import org.understudy.replication.soap.ResourceId;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.wsrf.resource.Resources;

/** Endpoint references with the id of the resource in the URL and as a parameter, because many clients drop parameters. */
final class Addresses implements References {
  static final String MANAGER = "/services/SubscriptionManager";
  static final String CREATE_PULL_POINT = "/services/CreatePullPoint";
  static final String PULL_POINT = "/services/PullPoint";

  private final String application;
  private final Resources resources;
  /** The paths of producers beside the service, by their keys. */
  private final Map<String, String> beside = new ConcurrentHashMap<>();

  /** @param application the URL of the web application at this replica */
  Addresses(URI application, Resources resources) {
    this.application = application.toString();
    this.resources = resources;
  }

  /** Registers the address of a producer beside the service. */
  void add(String key, String path) {
    beside.put(key, path);
  }

  @Override
  public EndpointReference producer(String key) {
    String path = beside.get(key);
    if (path != null) {
      return EndpointReference.to(URI.create(application + path));
    }
    return key.isEmpty() || key.equals(Resources.SERVICE)
        ? EndpointReference.to(URI.create(resources.address()))
        : reference(resources.address(key), key);
  }

  @Override
  public EndpointReference subscription(String id) {
    return reference(application + MANAGER + "/" + id, id);
  }

  @Override
  public EndpointReference pullPoint(String id) {
    return reference(application + PULL_POINT + "/" + id, id);
  }

  private static EndpointReference reference(String address, String id) {
    return new EndpointReference(URI.create(address), List.of(ResourceId.of(id)));
  }
}
