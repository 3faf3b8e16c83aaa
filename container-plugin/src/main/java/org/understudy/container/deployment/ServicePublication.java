package org.understudy.container.deployment;

import jakarta.xml.ws.Provider;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.attachment.AttachmentDeserializer;
import org.apache.cxf.binding.Binding;
import org.apache.cxf.binding.soap.SoapVersion;
import org.apache.cxf.binding.soap.interceptor.ReadHeadersInterceptor;
import org.apache.cxf.interceptor.OneWayProcessorInterceptor;
import org.apache.cxf.io.CachedConstants;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.logging.FaultListener;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.attachment.Attachments;
import org.understudy.container.attachment.CompleteAttachments;
import org.understudy.container.attachment.MessageFiles;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.execution.KeyScope;
import org.understudy.container.interceptor.ContentChecks;
import org.understudy.container.interceptor.ExpectedOperation;
import org.understudy.container.interceptor.FaultLog;
import org.understudy.container.interceptor.FaultTexts;
import org.understudy.container.interceptor.HandedOver;
import org.understudy.container.interceptor.LargeTexts;
import org.understudy.container.interceptor.RequestThread;
import org.understudy.container.interceptor.RequestedAction;
import org.understudy.container.interceptor.SelectedOperation;
import org.understudy.container.interceptor.UnderstoodHeaders;
import org.understudy.container.interceptor.UnknownResources;
import org.understudy.container.interceptor.WholeMessages;
import org.understudy.container.interceptor.WholePayload;
import org.understudy.container.invoker.ReplicatedInvoker;
import org.understudy.container.invoker.ReplicationPlace;
import org.understudy.container.invoker.RequestBinding;
import org.understudy.container.invoker.ServiceObjects;
import org.understudy.container.operation.Operation;
import org.understudy.container.operation.Operations;
import org.understudy.container.request.ExecutionAttributes;
import org.understudy.container.response.CapturedResponse;
import org.understudy.container.service.CxfOperations;
import org.understudy.container.service.OutsideEffects;
import org.understudy.container.service.ReadRules;
import org.understudy.container.service.ReplicableService;
import org.understudy.container.service.ServiceState;
import org.understudy.container.transaction.Coordinations;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;
import org.understudy.state.StateException;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.resource.Resources;
import org.understudy.wsrf.resource.ServiceHome;

/** Publishes a service on a separate bus, with the standard operations that the configuration selects. */
public final class ServicePublication {
  private static final Logger LOG = LoggerFactory.getLogger(ServicePublication.class);
  /** The maximum size of one message that the service's stack writes to a temporary file. */
  private static final long MAX_CACHED_BYTES = 64L << 20;

  private ServicePublication() {}

  /** @throws ConfigurationException when the service cannot be published, or a setting for it is invalid */
  static Publication of(Class<?> service, PublicationContext context)
      throws ReflectiveOperationException, ConfigurationException {
    Configuration configuration = context.configuration();
    ReplicableService.check(service);
    String path = Deployment.SERVICES + "/" + service.getSimpleName();
    ResourceState state = service.getAnnotation(ResourceState.class);
    OutsideEffects.warn(service, state == null ? service : state.value());
    Object[] bean = new Object[1];
    ServiceState captured = ServiceState.of(state == null ? service : state.value(), configuration);
    StateCapture[] itself = new StateCapture[1];
    Supplier<StateCapture> fresh = state == null ? () -> itself[0] : () -> captured.stateOf(ReplicableService.instance(state.value()));
    Resources resources = context.resources(path, fresh);
    captured.declare(resources);
    captured.watch(context.replica(), KeyScope.NONE);
    ServiceHome home = context.home(resources);
    if (state == null) {
      bean[0] = ReplicableService.makeWithOwnState(service, home);
      itself[0] = captured.stateOf(bean[0]);
      ServiceState.verify(itself[0]);
      captured.is(itself[0]);
      resources.begin(itself[0]);
    } else {
      ServiceState.verify(captured.stateOf(ReplicableService.make(service, state.value(), new Class<?>[0])));
      resources.captureBy(captured::stateOf);
      bean[0] = ReplicableService.make(service, service, new Class<?>[] {ResourceHome.class}, home);
    }
    boolean database = context.decideBy(bean[0], resources, home, state == null);
    Bus bus = bus(configuration);
    // The replica may start executions until it has ended, and the error of a closed bus would be stored as a reply.
    context.closer().addLast(() -> bus.shutdown(true));
    org.apache.cxf.endpoint.Endpoint published = publish(bus, bean[0], "/" + service.getSimpleName());
    ReplicableService.check(service, published);

    if (state == null && !database && configuration.replicated()) {
      copy(bean[0], captured, resources, List.of(published));
    }
    ReplicationPlace place = place(configuration, bus, published, path, service);
    context.warmUp().add(bus, published, service);
    context.served().add(path, KeyScope.NONE, place, captured, state == null);

    Endpoint own = new Endpoint(path, "");
    PublishedStandards standards =
        place.isAfterCxf()
            ? PublishedStandards.none(service, own, bus, published, "CXF authenticates its messages")
            : PublishedStandards.around(service, context, resources, own, fresh.get(), bus, published);
    if (place.isAfterCxf()) {
      home.withoutLifetimes();
    }
    Map<QName, Operation> operations = CxfOperations.of(published, service, ReadRules.of(configuration));
    Map<String, LongSupplier> meters = new LinkedHashMap<>(standards.meters());
    meters.putAll(context.outbox(bean[0], resources, home).meters());
    meters.putAll(context.replays(path, itself[0], KeyScope.NONE));
    CXFNonSpringServlet rest = new CXFNonSpringServlet();
    rest.setBus(bus);
    return new Publication(
        path,
        home,
        state == null,
        place.isAfterCxf()
            ? Operations.afterCxf(own, operations, standards.endpoints())
            : new Operations(own, operations, standards.endpoints()),
        standards.endpoints(),
        standards.contracts(),
        meters,
        rest);
  }

  private static org.apache.cxf.endpoint.Endpoint publish(Bus bus, Object bean, String name) {
    EndpointImpl endpoint = new EndpointImpl(bus, bean);
    endpoint.publish(name);
    org.apache.cxf.endpoint.Endpoint published = endpoint.getServer().getEndpoint();
    acceptBothVersions(bus, published.getBinding());
    if (!(bean instanceof Provider)) {
      check(published);
    }
    return published;
  }

  /**
   * Lets reads of a service that keeps its state in itself go on with a copy while an update runs, if a second object can be made. Call
   * it before {@link #place}, and only with a strategy that replicates: otherwise there are no captured states to make a copy from.
   *
   * @param endpoints all endpoints of the object
   */
  static void copy(Object bean, ServiceState captured, Resources resources, List<org.apache.cxf.endpoint.Endpoint> endpoints) {
    try {
      Supplier<? extends StateCapture> seconds = captured.seconds(bean);
      ServiceObjects.install(bean, endpoints, ExecutionAttributes::copyFor);
      resources.copyServiceBy(seconds);
      LOG.info("Reads of {} do not wait for a long update: they go on with a copy of the service object.", bean.getClass().getName());
    } catch (StateException e) {
      LOG.info("Reads of {} wait for its updates: {}.", bean.getClass().getName(), e.getMessage());
    }
  }

  /**
   * Selects the place where requests are replicated, and prepares the endpoint for it.
   *
   * @throws ConfigurationException when the service cannot be replicated there
   */
  static ReplicationPlace place(
      Configuration configuration,
      Bus bus,
      org.apache.cxf.endpoint.Endpoint published,
      String path,
      Class<?> implementation)
      throws ConfigurationException {
    ReplicationPlace place = ReplicationPlace.of(bus, published, configuration.place());
    boolean provider = Provider.class.isAssignableFrom(implementation);
    ReplicableService.checkAddressing(implementation, bus, published);
    if (place.isAfterCxf()) {
      ReplicableService.checkAfterCxf(implementation, bus, published, place);
    }
    place.log(path);
    published.getOutInterceptors().add(new LargeTexts(CapturedResponse::contentFor));
    if (place.isAfterCxf()) {
      ReplicatedInvoker.install(published);
      if (provider) {
        published.getInInterceptors().add(new WholePayload());
      }
    } else {
      RequestedAction.install(published, ExecutionAttributes::requestedAction);
      published.getInInterceptors().add(new HandedOver(ExecutionAttributes::handedOver));
      if (!provider) {
        published.getInInterceptors().add(new SelectedOperation(ExecutionAttributes::selectedOperation));
        published.getInInterceptors().add(new ExpectedOperation(ExecutionAttributes::expectedOperation));
      }
    }
    return place;
  }

  /** Checks the content of each message before the service executes it. */
  private static void check(org.apache.cxf.endpoint.Endpoint published) {
    ContentChecks content =
        new ContentChecks(published.getService().getServiceInfos().get(0).getXmlSchemaCollection().getXmlSchemaCollection());
    for (BindingOperationInfo operation : published.getBinding().getBindingInfo().getOperations()) {
      BindingOperationInfo wrapped = RequestBinding.wrapped(operation);
      if (RequestBinding.isRpc(wrapped)) {
        Map<String, QName> parts = new HashMap<>();
        RequestBinding.bodyParts(wrapped).stream()
            .filter(part -> !part.isElement())
            .forEach(part -> parts.put(part.getConcreteName().getLocalPart(), part.getTypeQName()));
        content.add(RequestBinding.element(wrapped), parts);
      }
      content.addHeaders(RequestBinding.element(wrapped), RequestBinding.headers(wrapped));
    }
    published.getInInterceptors().add(content);
    published.getInInterceptors().add(new WholeMessages());
  }

  private static Bus bus(Configuration configuration) {
    Bus bus = SeparateBus.create();
    Attachments.ignore(bus);
    // Otherwise CXF's servlet looks for it with each request, in JNDI and in the files of the web application.
    bus.setExtension(Thread.currentThread().getContextClassLoader(), ClassLoader.class);
    limitXml(bus);
    bus.setProperty(AttachmentDeserializer.ATTACHMENT_MAX_SIZE, Integer.toString(configuration.requestBytes()));
    bus.setProperty(CachedConstants.MAX_SIZE_BUS_PROP, Long.toString(MAX_CACHED_BYTES));
    // Executes operations without response before the exchange ends.
    bus.setProperty(OneWayProcessorInterceptor.USE_ORIGINAL_THREAD, true);
    bus.getInInterceptors().add(new RequestThread());
    bus.getInInterceptors().add(new MessageFiles());
    bus.getInInterceptors().add(new CompleteAttachments());
    bus.getInInterceptors().add(new UnderstoodHeaders(Coordinations.installed().headers()));
    bus.getOutFaultInterceptors().add(new UnknownResources(ExecutionAttributes::answersWith));
    bus.getOutFaultInterceptors().add(new FaultTexts(true));
    bus.setProperty(FaultListener.class.getName(), new FaultLog());
    return bus;
  }

  /** Sets limits that CXF does not set. They are much larger than any message within the body limit requires. */
  private static void limitXml(Bus bus) {
    bus.setProperty("org.apache.cxf.stax.maxElementCount", 500_000L);
    bus.setProperty("org.apache.cxf.stax.maxXMLCharacters", 300_000_000L);
    bus.setProperty("org.apache.cxf.stax.maxTextLength", 64L << 20);
  }

  /** Replaces the interceptor by which CXF's endpoint of SOAP 1.1 rejects SOAP 1.2. CXF then uses the version of each message. */
  private static void acceptBothVersions(Bus bus, Binding binding) {
    binding.getInInterceptors().removeIf(ReadHeadersInterceptor.class::isInstance);
    binding.getInInterceptors().add(new ReadHeadersInterceptor(bus, (SoapVersion) null));
  }
}
