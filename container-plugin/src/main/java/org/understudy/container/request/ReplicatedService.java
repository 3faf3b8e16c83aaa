package org.understudy.container.request;

/**
 * One replicated service, as requests meet it.
 *
 * @param answers how it answers, with its own addresses in views
 * @param operations its own, and the standard ones at its endpoints
 * @param execution runs them
 * @param contracts of its endpoints; null where the service's stack publishes them itself
 * @param session the operations on sessions and views at its address
 */
public record ReplicatedService(
    Answers answers,
    Operations operations,
    ServiceExecution execution,
    ContractDownload contracts,
    GroupOperations session) {}
