/**
 * XPath 1.0 for expressions from untrusted senders: no files, no network, no functions but the core library's, and a budget
 * of steps instead of a clock, so that an evaluation ends at the same point everywhere. Jaxen parses; documents are trees
 * of our own, small and immutable.
 */
package org.understudy.notification.xpath;
