/** The transfer modes that speak SOAP: {@code call} and {@code notification}, over kept-alive HTTP. */
package org.understudy.container.peer;
