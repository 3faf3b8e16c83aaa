/** What stands in CXF's chains around a service: what it takes, what its faults show, and what it logs. Knows no servlets. */
package org.understudy.container.interceptor;
